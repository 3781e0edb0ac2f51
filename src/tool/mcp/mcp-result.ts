import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/client';
import type { ToolOutput } from '../tool.ts';
import { cleanText, withoutSecrets } from '../clean-text.ts';

/** What a server answered as text; whatever else it sent is named. */
export function resultOutput(
  { content, structuredContent, isError }: CallToolResult,
  secrets: readonly string[],
): ToolOutput {
  const parts = content.map(blockText);
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent));
  const whole = parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
  const text = withoutSecrets(cleanText(whole), secrets);
  return isError === true
    ? { stdout: '', stderr: text === '' ? 'the tool failed\n' : text, exitCode: 1 }
    : { stdout: text, stderr: '', exitCode: 0 };
}

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.type}, ${block.mimeType}]`;
    case 'resource':
      return 'text' in block.resource
        ? `[${block.resource.uri}]\n${block.resource.text}`
        : `[${block.resource.uri}, no text]`;
    case 'resource_link':
      return `[${block.uri}]`;
  }
}
