import { expect, test } from 'vitest';
import { htmlText } from '../../src/tool/web/html-text.ts';

const BASE = 'https://example.org/docs/page';

test.each<[string, string, string]>([
  ['paragraphs', '<p>One\n  two</p><p>three</p>', 'One two\n\nthree'],
  ['headings', '<h1>Top</h1><h3>Sub</h3>text', '# Top\n\n### Sub\n\ntext'],
  ['lists', '<ul><li>a</li><li>b <b>c</b></li></ul>', '- a\n- b c'],
  ['links', '<a href="../x?a=1&amp;b=2">go</a> on', '[go](https://example.org/x?a=1&b=2) on'],
  ['links that run', '<a href="javascript:alert(1)">go</a>', 'go'],
  ['entities', '<p>&lt;b&gt; &eacute;&#x41;&nbsp;&copy</p>', '<b> éA ©'],
  ['tables', '<table><tr><th>a<th>b<tr><td>1<td>2</table>', '| a | b\n| 1 | 2'],
  ['code', '<pre>a  b\n  c</pre>', '```\na  b\n  c\n```'],
  ['breaks', 'a<br>b', 'a\nb'],
  ['scripts', 'a<script>var x = "<p>no</p>";</script><style>p{}</style><template>no</template>b', 'ab'],
  ['hidden', 'a<div hidden>no</div>b', 'a\n\nb'],
  ['comments', '\n<!DOCTYPE html>a<!-- no -->b', 'ab'],
  ['titles', '<html><head><title>T</title></head><body>b</body></html>', 'T\n\nb'],
  ['unclosed', '<div><p>a<p>b<div>c', 'a\n\nb\n\nc'],
  ['nothing', '', ''],
  ['text', 'a < b > c & d', 'a < b > c & d'],
])('%s', async (_, html, text) => {
  expect(await htmlText(html, BASE)).toBe(text);
});

test('takes linear time for what is nested, unclosed or all white space', async () => {
  const hostile = [
    '<div>'.repeat(50_000),
    '<p '.repeat(100_000),
    ' \n'.repeat(300_000),
    '&'.repeat(300_000),
    '&nbsp;'.repeat(200_000),
    '&#10;'.repeat(200_000),
  ];
  for (const html of hostile) {
    const begun = Date.now();
    await htmlText(html, BASE).catch(() => 'given up');
    expect(Date.now() - begun).toBeLessThan(5_000);
  }
});
