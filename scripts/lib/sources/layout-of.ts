import { layerKind } from '../../../src/catalog/layers.ts';
import type { Layout } from '../../../src/compile/definition.ts';
import { commandsLayout } from '../../../src/compile/layouts/commands.ts';
import { marketplaceLayout } from '../../../src/compile/layouts/marketplace.ts';
import { mcpPromptsLayout } from '../../../src/compile/layouts/mcp-prompts.ts';
import { pluginLayout } from '../../../src/compile/layouts/plugin.ts';
import { projectLayout } from '../../../src/compile/layouts/project.ts';
import { rootsLayout } from '../../../src/compile/layouts/roots.ts';
import { treeLayout } from '../../../src/compile/layouts/tree.ts';
import type { SourcePlan } from './source-plan.ts';

/** The layout that a plan names. A plugin in the bundled layer is a built-in one. */
export function layoutOf({ layer, layout = 'tree', provider = 'custom' }: SourcePlan): Layout {
  switch (layout) {
    case 'tree':
      return treeLayout;
    case 'roots':
      return rootsLayout({ provider, namedByFolder: provider === 'claude' });
    case 'project':
      return projectLayout;
    case 'commands':
      return commandsLayout({ kind: 'command', provider: 'claude' });
    case 'workflows':
      return commandsLayout({ kind: 'workflow-command', provider: 'claude' });
    case 'plugin':
      return pluginLayout({ builtin: layerKind(layer) === 'bundled' });
    case 'marketplace':
      return marketplaceLayout;
    case 'mcp-prompts':
      return mcpPromptsLayout;
  }
}
