import type { CatalogEntry } from '../../../src/catalog/catalog-entry.ts';
import { indexSkill, type SkillTexts } from '../../../src/search/index-skill.ts';
import { SearchObject as Search } from '../../../src/search/search-object.ts';
import { searchLayer } from '../../../src/search/search-layer.ts';
import { termsOf } from '../../../src/text/words.ts';

/**
 * The product as it is deployed, with one addition: a search index that can be asked, or updated, many times in one call,
 * so that what is timed is its work and not the way to it, and that can be asked as bare FTS5 over its rows would be.
 */
export * from '../../../src/index.ts';
export { default } from '../../../src/index.ts';

const RESULTS = 10;

export class SearchObject extends Search {
  /** How many skills each text finds. */
  searchAll(texts: readonly string[]): number[] {
    return texts.map(
      (text) => searchLayer(this.ctx.storage.sql, { text, limit: RESULTS, hidden: [] }).hits.length,
    );
  }

  /** Puts skills that are there into the index once more, each as a publish of it would, in a transaction of its own. */
  indexAll(skills: readonly { entry: CatalogEntry; texts: SkillTexts; shard: number }[]): void {
    for (const { entry, texts, shard } of skills)
      this.ctx.storage.transactionSync(() => indexSkill(this.ctx.storage.sql, entry, texts, shard));
  }

  /** The same words in SQLite alone: no misspellings, no fields, no snippets, and only row numbers as answers. */
  searchAllBare(texts: readonly string[]): number[] {
    return texts.map((text) => {
      const words = termsOf(text, text.length).map((term) => `"${term}"`);
      const statement = 'SELECT rowid FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?';
      return this.ctx.storage.sql.exec(statement, words.join(' OR '), RESULTS).toArray().length;
    });
  }
}
