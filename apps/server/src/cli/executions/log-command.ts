import type { Command } from 'commander'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isTerminal } from '@beadloom/core/records/execution.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { clientExits } from '../exit-code.ts'
import { lastLine } from './execution-notes.ts'
import { cleaned, followForPeople, heading, zoneHere } from './follow-for-people.ts'
import { followExecution } from './follow-logs.ts'
import { safeJson } from '@beadloom/core/text/safe-json.ts'
import type { Terminal } from '../terminal/output.ts'
import { RESET } from '../terminal/terminal-text.ts'

export function addLogCommand(program: Command, context: CommandContext): void {
  const { terminal, cwd } = context
  context
    .command(program, {
      usage: 'logs <execution>',
      description: "print the logs of an execution, or of a bead's newest execution",
      examples: [
        'beadloom logs bl-4f2',
        'beadloom logs -f ex-4k1m9x2c7q',
        'beadloom logs bl-4f2 | grep -n Error',
        'beadloom logs --times bl-4f2',
      ],
      more: 'With --json: {"execution", "logs": [{"session", "kind", "attempt", "text"}]}; with -f as well, once the execution has ended.\nWith --times each line starts with the time it was printed, or - if that is not known; with --json the times are in UTC.\nOnly a terminal gets colours (FORCE_COLOR=1 keeps them in a pipe). Ctrl-C does not stop the execution.',
      arguments: { execution: 'execution id or bead id' },
      exits: [...clientExits, 'interrupted'],
    })
    .addOption(projectOption())
    .option('-f, --follow', 'keep printing until the execution has ended')
    .option('-t, --times', 'start each line with its time, in your time zone')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const how = (id: string) => `beadloom logs ${given} --project ${id}`
        const id = await chooseExecution(api, given, { named: options['project'], cwd, how })
        const follow = options['follow'] === true
        const times = options['times'] === true
        if (json) {
          const execution = follow ? await followExecution(api, id, null) : await executionOf(api, id)
          return printDocument(api, execution, terminal, times ? '?ts=utc' : '')
        }
        const execution = follow
          ? await followForPeople(api, id, terminal, times)
          : await printSoFar(api, id, terminal, times ? `?ts=local&tz=${segment(zoneHere())}` : '')
        if (isTerminal(execution.state)) terminal.note(lastLine(execution))
        else if (execution.sessions.length === 0)
          terminal.note(
            `${execution.id} is ${execution.state} and has no log yet. Wait for it: beadloom logs -f ${execution.id}`,
          )
      }),
    )
}

const executionOf = (api: ApiClient, id: string): Promise<ExecutionView> =>
  api.get<ExecutionView>(`/api/executions/${segment(id)}`)
const logOf = (api: ApiClient, session: string, how: string): AsyncGenerator<string> =>
  api.stream(`/api/sessions/${segment(session)}/log/raw${how}`)

async function printSoFar(api: ApiClient, id: string, terminal: Terminal, how: string): Promise<ExecutionView> {
  const execution = await executionOf(api, id)
  for (const session of execution.sessions) {
    terminal.write(heading(session, execution))
    // The end of a piece may cut an escape sequence, the end of a line never does.
    for await (const lines of wholeLines(logOf(api, session.id, how))) {
      if (!terminal.write(cleaned(terminal, lines))) await terminal.drained()
    }
    if (terminal.colour) terminal.write(RESET)
  }
  return execution
}

async function* wholeLines(pieces: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = []
  for await (const piece of pieces) {
    const end = piece.lastIndexOf('\n') + 1
    if (end > 0) {
      yield rest.join('') + piece.slice(0, end)
      rest = []
    }
    rest.push(piece.slice(end))
  }
  yield rest.join('')
}

/** One document, written piece by piece: the logs may be larger than the longest string. */
async function printDocument(api: ApiClient, execution: ExecutionView, terminal: Terminal, how: string): Promise<void> {
  const write = async (json: string): Promise<void> => {
    if (!terminal.write(safeJson(json))) await terminal.drained()
  }
  await write(`{"execution":${JSON.stringify(execution)},"logs":[`)
  for (const [at, { id, kind, attempt }] of execution.sessions.entries()) {
    await write(`${at > 0 ? ',' : ''}\n{"session":${JSON.stringify(id)},"kind":"${kind}","attempt":${attempt},"text":"`)
    for await (const piece of logOf(api, id, how)) await write(JSON.stringify(piece).slice(1, -1))
    await write('"}')
  }
  await write(']}\n')
}
