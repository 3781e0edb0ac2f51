import type { Layer } from '../catalog/layers.ts';
import { searchName } from '../store/keys.ts';
import type { LayerSearch, SearchQuery, SkillSearch } from '../view/ports.ts';
import type { SearchObject } from './search-object.ts';

/** The index of each layer, reached by its name. */
export function durableSearch(namespace: DurableObjectNamespace<SearchObject>): SkillSearch {
  const ask = async (layer: Layer, organisation: string, query: SearchQuery): Promise<LayerSearch> =>
    namespace.getByName(searchName(layer, organisation)).search(query);
  return {
    async search(layer, organisation, query) {
      try {
        return await ask(layer, organisation, query);
      } catch {
        // A deploy ends objects in the middle of a call; asking again starts it anew, and a search changes nothing.
        return ask(layer, organisation, query);
      }
    },
  };
}
