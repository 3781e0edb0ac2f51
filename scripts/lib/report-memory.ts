import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { DigestSchema } from '../../src/catalog/revision.ts';
import type { KnownReports } from '../../src/compile/known-reports.ts';
import { Report } from '../../src/compile/report.ts';
import type { Digest } from '../../src/core/digest.ts';
import { parseJson } from '../../src/view/json-document.ts';
import { compilerDigest } from './build-memory.ts';
import { type Bundle, openBundle } from './bundle.ts';

const FILE = 'reports.json';

/** Which report of the bundle beside it each skill has, by what it was compiled from. */
const ReportMemory = z.strictObject({
  version: z.literal(1),
  /** Another compiler would write other reports, and forgets these. */
  compiler: DigestSchema,
  reports: z.record(DigestSchema, DigestSchema),
});

/** Reports of the bundle that a folder holds. */
export interface StoredReports extends KnownReports {
  /** Writes down which skills the build in this folder was of: those, and no others, so it never grows beyond it. */
  keep(directory: string): void;
}

/** Opens what an earlier build left; nothing is known where it left nothing, or something that cannot be read. */
export function openReports(directory: string): StoredReports {
  const compiler = compilerDigest();
  const memory = readMemory(directory);
  const earlier = new Map<string, Digest>(
    memory?.compiler === compiler ? Object.entries(memory.reports) : [],
  );
  const bundle = earlier.size === 0 ? null : bundleIn(directory);
  const used = new Map<Digest, Digest>();
  return {
    recall(inputs) {
      const digest = earlier.get(inputs);
      const text = digest && bundle ? readText(bundle, digest) : null;
      const report = text === null ? null : parseJson(Report, text);
      return digest && text !== null && report ? { document: { digest, text }, report } : null;
    },
    remember: (inputs, report) => void used.set(inputs, report),
    keep(written) {
      bundle?.close();
      const kept: z.infer<typeof ReportMemory> = { version: 1, compiler, reports: Object.fromEntries(used) };
      writeFileSync(join(written, FILE), `${JSON.stringify(kept)}\n`);
    },
  };
}

function readMemory(directory: string): z.infer<typeof ReportMemory> | null {
  try {
    return parseJson(ReportMemory, readFileSync(join(directory, FILE), 'utf8'));
  } catch {
    return null;
  }
}

function bundleIn(directory: string): Bundle | null {
  try {
    return openBundle(directory);
  } catch {
    return null;
  }
}

/** Checked against its digest. */
function readText(bundle: Bundle, digest: Digest): string | null {
  try {
    return new TextDecoder().decode(bundle.read(digest));
  } catch {
    return null;
  }
}
