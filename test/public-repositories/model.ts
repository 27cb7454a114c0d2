import { AnsweringEndpoint } from '../support/answering-endpoint.ts'

/*
 * Replaces the built-in agent's model: tells it to apply the patch in its bead's text, and is done. Needs no setting of
 * the project, so nothing is written into its repository.
 */

const APPLY = [
  'base64 -d > /tmp/patch <<END\nPATCH\nEND\ntest -s /tmp/patch',
  'git apply --unidiff-zero /tmp/patch',
  'git commit -q -a -m "Change a line"',
  'git push -q',
].join(' && ')

export const patchLine = (patch: string): string => `PATCH:${Buffer.from(patch).toString('base64')}`

/** A command that applies the text's patch, or does nothing if there is none. */
function commandIn(messages: readonly { content: unknown }[]): string {
  const [, patch = ''] = /PATCH:([A-Za-z0-9+/=]+)/.exec(JSON.stringify(messages)) ?? []
  return APPLY.replace('PATCH', patch)
}

export const startModel = (): Promise<AnsweringEndpoint> =>
  AnsweringEndpoint.start(({ messages }, response) => {
    const isDone = messages.some(({ role }) => role === 'tool')
    const command = JSON.stringify({ command: commandIn(messages) })
    const call = { index: 0, id: 'call_1', type: 'function', function: { name: 'bash', arguments: command } }
    const delta = isDone ? { content: 'Done.' } : { role: 'assistant', tool_calls: [call] }
    const chunk = (value: object): void =>
      void response.write(
        `data: ${JSON.stringify({ id: 'r', object: 'chat.completion.chunk', created: 1, model: 'm', ...value })}\n\n`,
      )
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    chunk({ choices: [{ index: 0, delta, finish_reason: null }] })
    chunk({ choices: [{ index: 0, delta: {}, finish_reason: isDone ? 'stop' : 'tool_calls' }] })
    chunk({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 } })
    response.end('data: [DONE]\n\n')
  })
