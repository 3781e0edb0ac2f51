/** What is there for machines, or for nobody. */
const UNSEEN = 'script, style, noscript, template, svg, iframe, object, canvas, [hidden]';
const BLOCKS = [
  'address, article, aside, blockquote, dd, details, div, dl, dt, fieldset, figcaption, figure, footer, form, header',
  'hr, main, nav, ol, p, section, summary, table, title, ul',
].join(', ');
/** The parser cannot take it away. */
const DOCTYPE = /^\s*<!doctype[^>]*>/i;
const LINK_CHARACTERS = 1_000;

/** Before and behind an element, in place of its tags. */
function around(before: string, after: string) {
  return {
    element(element: Element): void {
      element.before(before);
      if (after !== '') element.after(after);
    },
  };
}

/**
 * The text of a page with a little Markdown for headings, lists and links, read by the runtime's own parser in one pass.
 * Rejects for what that parser gives up on.
 */
export async function htmlText(html: string, base: string): Promise<string> {
  const { decodeHTML } = await import('entities/decode');
  let preformatted = 0;
  const rewriter = new HTMLRewriter()
    .on(UNSEEN, { element: (element) => void element.remove() })
    .on(BLOCKS, around('\n\n', '\n\n'))
    .on('tr', around('\n', ''))
    .on('td, th', around(' | ', ''))
    .on('li', around('\n- ', ''))
    .on('br', around('\n', ''))
    .on('a[href]', {
      element(element) {
        const url = URL.parse(decodeHTML(element.getAttribute('href') ?? ''), base)?.href ?? '';
        if (!/^https?:/.test(url) || url.length > LINK_CHARACTERS) return;
        element.before('[');
        element.after(`](${url})`);
      },
    })
    .on('pre', {
      element(element) {
        preformatted += 1;
        element.before('\n\n```\n');
        element.after('\n```\n\n');
        element.onEndTag(() => {
          preformatted -= 1;
        });
      },
    });
  for (let level = 1; level <= 6; level += 1)
    rewriter.on(`h${level}`, around(`\n\n${'#'.repeat(level)} `, '\n\n'));
  const text = await rewriter
    .on('*', { element: (element) => void element.removeAndKeepContent() })
    .onDocument({
      comments: (comment) => void comment.remove(),
      text(chunk) {
        if (preformatted === 0) chunk.replace(chunk.text.replaceAll(/\s+/g, ' '), { html: true });
      },
    })
    .transform(new Response(html.replace(DOCTYPE, '')))
    .text();
  return tidy(decodeHTML(text));
}

/** Outside of code: single spaces, none at the ends of lines, and at most one empty line. */
function tidy(text: string): string {
  const parts = text.split('```').map((part, index) => (index % 2 === 1 ? part : tidyLines(part)));
  return parts.join('```').trim();
}

function tidyLines(text: string): string {
  // Line by line: what looks for spaces before a line's end takes quadratic time where there are only spaces.
  const lines = text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
  return lines.join('\n').replaceAll(/\n{3,}/g, '\n\n');
}
