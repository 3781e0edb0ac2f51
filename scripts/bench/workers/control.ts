import type { OrgObject } from '../../../src/org/org-object.ts';
import { ownerName, searchName } from '../../../src/store/keys.ts';
import { type Answer, Order } from '../control-orders.ts';
import type { SearchObject } from './product.ts';

interface Objects {
  readonly ORG: DurableObjectNamespace<OrgObject>;
  readonly SEARCH: DurableObjectNamespace<SearchObject>;
}

const NOTHING: Answer = { catalog: null, skills: 0, found: [], id: '' };

/** Passes the benchmark's orders on to the objects of the product, in the same process. */
export default {
  async fetch(request, env) {
    return Response.json(await obey(env, Order.parse(await request.json())));
  },
} satisfies ExportedHandler<Objects>;

async function obey(env: Objects, order: Order): Promise<Answer> {
  const { organisation, layer } = order;
  const owner = env.ORG.getByName(ownerName(layer, organisation));
  const index = env.SEARCH.getByName(searchName(layer, organisation));
  switch (order.order) {
    case 'record-blobs':
      await owner.recordBlobs(layer, order.blobs);
      return NOTHING;
    case 'move-head': {
      const { head } = order;
      const moved = await owner.moveHead(organisation, {
        layer,
        expected: null,
        head,
        added: [],
        changes: { added: [], changed: [], removed: [] },
        by: { organisation, label: 'bench', kind: 'service' },
      });
      if (!moved.ok) throw new Error(moved.error.detail);
      return NOTHING;
    }
    case 'standing': {
      const { catalog, skills } = await index.search({ text: '', limit: 1, hidden: [] });
      return { ...NOTHING, catalog, skills };
    }
    case 'search-id':
      return { ...NOTHING, id: env.SEARCH.idFromName(searchName(layer, organisation)).toString() };
    case 'index':
      await index.indexAll(order.skills);
      return NOTHING;
    case 'search': {
      const { texts } = order;
      return { ...NOTHING, found: await (order.bare ? index.searchAllBare(texts) : index.searchAll(texts)) };
    }
  }
}
