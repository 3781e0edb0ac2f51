import { STORE_LIMITS } from '../core/limits.ts';

export const PIECES_SCHEMA =
  'CREATE TABLE piece (owner TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (owner, number)) WITHOUT ROWID';

/** Bytes of any length in SQLite, where one value is at most 2 MB: each owner's bytes lie in rows of a bounded size. */
export class Pieces {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  write(owner: string, bytes: Uint8Array): void {
    this.remove(owner);
    this.#add(owner, bytes);
  }

  #add(owner: string, bytes: Uint8Array): void {
    const size = STORE_LIMITS.pieceBytes;
    for (let number = 0; number * size < bytes.length; number += 1) {
      const piece = bytes.slice(number * size, (number + 1) * size);
      this.#sql.exec(
        'INSERT INTO piece (owner, number, bytes) VALUES (?, ?, ?)',
        owner,
        number,
        piece.buffer,
      );
    }
  }

  /** Empty for an owner without pieces: empty bytes have none. */
  read(owner: string): Uint8Array {
    const rows = this.#sql
      .exec<{ bytes: ArrayBuffer }>('SELECT bytes FROM piece WHERE owner = ? ORDER BY number', owner)
      .toArray();
    const whole = new Uint8Array(rows.reduce((length, row) => length + row.bytes.byteLength, 0));
    let offset = 0;
    for (const { bytes } of rows) {
      whole.set(new Uint8Array(bytes), offset);
      offset += bytes.byteLength;
    }
    return whole;
  }

  remove(owner: string): void {
    this.#sql.exec('DELETE FROM piece WHERE owner = ?', owner);
  }

  writeText(owner: string, text: string): void {
    this.write(owner, new TextEncoder().encode(text));
  }

  /** Of an owner that has none yet. */
  addText(owner: string, text: string): void {
    this.#add(owner, new TextEncoder().encode(text));
  }

  readText(owner: string): string {
    // A BOM is part of the text: documents come back as they went in.
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(this.read(owner));
  }
}
