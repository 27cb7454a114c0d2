import type { LogCall } from '@beadloom/core/api/executions/log-api.ts'

/** Whether a bead's agent log is a real conversation, and not only lines of every kind. */
export const talks = (bead: string): boolean =>
  bead === 'wc-1a4' ||
  bead === 'eg-talk' ||
  bead === 'eg-said' ||
  bead === 'eg-held' ||
  bead === 'eg-asks' ||
  bead.startsWith('pn-')

const edit = JSON.stringify({
  path: 'src/upload/retry.ts',
  old_text: 'export async function upload(file: File) {\n  return send(file)\n}',
  new_text:
    'export async function upload(file: File, tries = 3) {\n  for (let left = tries; ; left--) {\n    try {\n      return await send(file)\n    } catch (error) {\n      if (left <= 1 || !isTransient(error)) throw error\n    }\n  }\n}',
})

const short = (given: string): string => (given.length > 200 ? `${given.slice(0, 199)}…` : given)

/** One round of an agent, over and over; the first one begins with what a session begins with, and hostile text. */
const begin = [
  '§ checkout',
  'HEAD is now at 4f1c2d9 Count words of every script',
  '§ checkout: exit 0, 0.4 s',
  '› The description asks for **retries of uploads** that fail for a moment. I will look at `src/upload` first, then write the test that fails today.',
  '› <img src=x onerror=alert(1)> [click me](javascript:alert(2)) ![x](https://example.org/x.png) \u202egnp.exe',
  '⚙ search({"pattern":"\u001b]8;;javascript:alert(3)\u0007x<script>"})',
  '✓ search, 12 ms',
  '  [0 matching lines in 41 files]',
]
const round = [
  '· step 3 of 100',
  '› There is one place that sends:',
  '› ',
  '› - `send()` throws on *every* status that is not 2xx',
  '› - nothing tells a timeout from a refusal',
  '› ',
  '› I keep `send()` as it is and put the retries around it.',
  '⚙ search({"pattern":"send\\\\(","path":"src"})',
  '✓ search, 31 ms',
  '  src/upload/send.ts:4: export function send(file: File): Promise<Receipt> {',
  '  src/upload/retry.ts:2:   return send(file)',
  '  [2 matching lines in 2 files]',
  `⚙ edit_file(${short(edit)})`,
  '✓ edit_file, 4 ms',
  '  replaced the passage at line 1 of src/upload/retry.ts',
  '⚙ bash({"command":"npm test -- src/upload"})',
  '✗ bash, 2.8 s',
  '  TAP version 13',
  '  ok 1 - sends a file',
  '  not ok 2 - gives up after three',
  '    ---',
  "    error: 'expected 3 to equal 4'",
  '    expected: 4',
  '    actual: 3',
  '    ...',
  '  not ok 3 - does not repeat a refusal',
  '    ---',
  "    error: 'a refusal was sent again'",
  '    expected: 1',
  '    actual: 3',
  '    ...',
  '  1..3',
  '  # pass 1',
  '  # fail 2',
  '  [exit code 1]',
  '! the model did not answer in time; trying again',
  '› Two fail: a refusal (`4xx`) must not be repeated. I ask for a second pair of eyes while I fix it.',
  '⑂ code-review-agent#1 § Look at src/upload/retry.ts: does it repeat what it must not?',
  '⑂ code-review-agent#1 ⚙ read_file({"path":"src/upload/retry.ts"})',
  '⑂ code-review-agent#1 ✓ read_file, 2 ms',
  '⑂ code-review-agent#1   export async function upload(file: File, tries = 3) {',
  '⑂ code-review-agent#1 › `isTransient` takes a `401` for a moment’s trouble. It should not.',
  '⑂ code-review-agent#1 = done',
  '⚙ bash({"command":"npm test"})',
  '✓ bash, 9.1 s',
  ...Array.from({ length: 24 }, (_, n) => `  ok ${n + 1} - part ${n + 1} of the suite`),
  '  # pass 24',
  '  # fail 0',
  '  [exit code 0]',
  '! pi shortened its context (threshold): about 101000 tokens became 18000',
]

export const conversationLine = (n: number): string => begin[n] ?? round[(n - begin.length) % round.length] ?? ''

const EDIT = round.findIndex((line) => line.startsWith('⚙ edit_file'))

export function conversationCalls(from: number, to: number): LogCall[] {
  const calls: LogCall[] = []
  for (let line = Math.max(from, begin.length); line < to; line++)
    if ((line - begin.length) % round.length === EDIT) calls.push({ line, tool: 'edit_file', arguments: edit })
  return calls
}
