import { z } from 'zod/mini'
import { runCommand, type CommandEnd } from '../commands/run-command.ts'
import { KeptOutput } from './kept-output.ts'
import { defineTool } from './tool.ts'

export const bash = defineTool({
  name: 'bash',
  description:
    'Runs a shell command in the workspace and returns its output (stdout and stderr together) and its exit code. Each call is a new shell: folder changes and variables do not carry over, and what it leaves in the background is stopped. There is no terminal and no input. Long output is cut in the middle, and the whole of it is kept in a file that is named there.',
  input: z.strictObject({
    command: z.string().check(z.minLength(1), z.describe('The command line, run with bash where there is one')),
    timeout_seconds: z.optional(z.int().check(z.minimum(1), z.describe('Stop the command after this time'))),
  }),
  async run({ command, timeout_seconds: seconds }, { workspace, env, clock, stop, timeoutMs, outputLimit, outputs }) {
    const limitMs = Math.min(timeoutMs, seconds === undefined ? Infinity : seconds * 1000)
    const output = new KeptOutput(outputLimit, outputs)
    const end = await runCommand(
      // An image need not have bash. Then its `sh` runs the command, and the command line stays one argument.
      { argv: ['sh', '-c', SHELL, 'sh', command], cwd: workspace, env, timeoutMs: limitMs, signal: stop },
      (_stream, text) => output.add(text),
      clock,
    )
    const { text, print } = await output.end()
    const verdict = describe(end, limitMs)
    return {
      ok: end.reason === 'exited' && end.exitCode === 0,
      text: text ? `${text.trimEnd()}\n${verdict}` : verdict,
      ...(print !== undefined && { print: `${print} ${verdict}` }),
    }
  },
})

const SHELL = 'if command -v bash >/dev/null 2>&1; then exec bash -c "$1"; else exec sh -c "$1"; fi'

function describe({ reason, exitCode, detail }: CommandEnd, limitMs: number): string {
  if (reason === 'timed-out') return `[stopped after ${Math.round(limitMs / 1000)} s: the time limit]`
  if (reason === 'stopped') return '[stopped: the session is ending]'
  if (reason === 'not-started') return `[could not be started: ${detail}]`
  return `[exit code ${exitCode}]`
}
