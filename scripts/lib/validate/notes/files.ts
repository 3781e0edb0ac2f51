import type { CodeNotes } from './code-note.ts';

export const FILES = {
  'file-unreadable': {
    means: 'A file or folder is there but cannot be read.',
    noExample: 'It takes a file that went away or may not be read.',
  },
  'file-not-regular': {
    means: 'A pipe, socket or device lies in the tree, or a folder has the name of a skill file.',
    noExample: 'It takes a pipe, which a repository cannot hold.',
  },
  'file-too-large': {
    means: 'A SKILL.md is larger than 1 MiB, or another file of a skill larger than 8 MiB.',
    noExample: 'It takes a file of more than 1 MiB.',
  },
  'file-changed': {
    means: 'A file had another size when it was read than when it was listed.',
    noExample: 'It takes a program that writes to the file at that moment.',
  },
  'path-unsafe': {
    means: 'A file has a path that cannot be part of a skill on every system.',
    noExample: 'It takes a file name that some systems cannot store.',
  },
  'symlink-outside': {
    means: 'A link leads out of the source tree.',
    noExample: 'It takes a link, which not every system can check out.',
  },
  'symlink-broken': {
    means: 'A link leads to nothing.',
    noExample: 'It takes a link, which not every system can check out.',
  },
  'symlink-cycle': {
    means: 'A link leads back to a folder above it.',
    noExample: 'It takes a link, which not every system can check out.',
  },
  'skill-file-encoding': {
    means: 'A SKILL.md is not UTF-8, or has NUL characters.',
    at: 'SKILL.md:6',
  },
  'skill-file-empty': {
    means: 'A SKILL.md has nothing but white space.',
    at: 'SKILL.md:1',
  },
  'skill-too-large': {
    means: 'A skill has more than 512 files, or more than 16 MiB.',
    noExample: 'It takes more than 512 files.',
  },
  'byte-order-mark': {
    means: 'A SKILL.md begins with a byte order mark, which some parsers take for text.',
    at: 'SKILL.md:1',
  },
  'carriage-returns': {
    means: 'A SKILL.md has carriage returns; they are read as line ends.',
    at: 'SKILL.md:1',
  },
} as const satisfies CodeNotes;
