import { cutText } from '../core/cut-text.ts';
import { RUN_LIMITS } from '../core/limits.ts';
import type { ToolCall } from '../model/message.ts';
import type { ModelReply } from '../model/model.ts';

/**
 * A reply of a size that a journal can hold and a later call can send again. Input that is too long is not passed on: the
 * model is told, as of any other that cannot be used.
 */
export function boundedReply(reply: ModelReply): ModelReply {
  if (reply.kind === 'failed') return { ...reply, text: cutText(reply.text, RUN_LIMITS.eventCharacters) };
  if (reply.kind === 'calls' && reply.calls.length > RUN_LIMITS.callsAtOnce) {
    const text = `There were ${reply.calls.length} calls in one message, more than ${RUN_LIMITS.callsAtOnce}.`;
    const { usage } = reply;
    return { kind: 'failed', stopReason: 'model_output_invalid', text, ...(usage && { usage }) };
  }
  const { native, ...plain } = reply;
  const kept = native && JSON.stringify(native).length <= RUN_LIMITS.replyCharacters ? { native } : {};
  const text = cutText(reply.text, RUN_LIMITS.resultCharacters);
  return plain.kind === 'calls'
    ? { ...plain, ...kept, text, calls: plain.calls.map(boundedCall) }
    : { ...plain, ...kept, text };
}

function boundedCall(call: ToolCall): ToolCall {
  const length = JSON.stringify(call.input).length;
  if (length <= RUN_LIMITS.replyCharacters) return call;
  const invalid = `input_too_long: the input has ${length} characters, more than ${RUN_LIMITS.replyCharacters}`;
  return { ...call, input: null, invalid };
}
