import { describe, expect, it } from 'vitest';
import { projectPath } from '../../src/listing/project-path.ts';

describe('projectPath', () => {
  it.each<[string, string | null, string | null, string | null]>([
    ['src/app.ts', null, null, 'src/app.ts'],
    ['./src//app.ts', null, null, 'src/app.ts'],
    ['../app.ts', null, null, null],
    ['src/../../app.ts', null, null, null],
    ['app.ts', null, 'src/lib', 'src/lib/app.ts'],
    ['../app.ts', null, 'src/lib', 'src/app.ts'],
    ['../../../app.ts', null, 'src/lib', null],
    ['/home/me/web/src/app.ts', '/home/me/web', null, 'src/app.ts'],
    ['/home/me/web/src/app.ts', '/home/me/web/', null, 'src/app.ts'],
    ['/home/me/website/app.ts', '/home/me/web', null, null],
    ['/home/me/web/../other/app.ts', '/home/me/web', null, null],
    ['/home/me/web', '/home/me/web', null, null],
    ['/etc/passwd', null, null, null],
    ['app.ts', '/home/me/web', '/home/me/web/src', 'src/app.ts'],
    ['app.ts', '/home/me/web', '/tmp', null],
    ['C:\\web\\src\\app.ts', 'C:\\web', null, 'src/app.ts'],
    ['C:/web/src/app.ts', 'C:\\web', null, 'src/app.ts'],
    ['src\\app.ts', null, null, 'src\\app.ts'],
    ['src\\app.ts', 'C:\\web', null, 'src/app.ts'],
    ['src\\app.ts', '/home/me/web', null, 'src\\app.ts'],
    ['..\\app.ts', 'C:\\web', 'C:\\web\\src', 'app.ts'],
    ['..\\..\\app.ts', 'C:\\web', 'C:\\web\\src', null],
    ['c:\\web\\src\\app.ts', 'C:/web', null, 'src/app.ts'],
    ['D:\\web\\app.ts', 'C:\\web', null, null],
    ['skill://pdf/a.md', null, 'src', null],
    ['SKILL://pdf/../a.md', '/home/me/web', '/home/me/web', null],
    ['skill:/pdf/a.md', null, null, 'skill:/pdf/a.md'],
    ['', null, null, null],
    ['.', null, null, null],
  ])('%j in %j from %j: %j', (path, project, folder, expected) => {
    expect(projectPath(path, project, folder)).toBe(expected);
  });

  it.each<[string, string | null, string | null]>([
    ['src\\app.ts', null, 'src/app.ts'],
    ['.\\src\\app.ts', null, 'src/app.ts'],
    ['..\\app.ts', null, null],
    ['\\src\\app.ts', null, null],
    ['\\\\server\\web\\app.ts', '\\\\server\\web', 'app.ts'],
  ])('%j on Windows in %j: %j', (path, project, expected) => {
    expect(projectPath(path, project, null, true)).toBe(expected);
  });
});
