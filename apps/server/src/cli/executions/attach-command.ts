import type { Command } from 'commander'
import { systemClock } from '../../process/clock.ts'
import { jsonSink, peopleSink } from './attach-sinks.ts'
import { chooseExecution } from '../choose.ts'
import { projectOption, type CommandContext } from '../context.ts'
import { digestLines, lastLine, nextLines, noteLines } from './execution-notes.ts'
import { clientExits, executionExits, exitOfExecution, noEndYet } from '../exit-code.ts'
import { planLines } from './plan-lines.ts'
import { untilInterrupted } from './follow-for-people.ts'
import { followExecution } from './follow-logs.ts'
import { jsonLine } from '../terminal/output.ts'
import { paintOf, toneOf } from '../terminal/paint.ts'

/** Longer than for `logs -f`: a person who attaches means to stay, even while the server is updated. */
const GIVE_UP_AFTER_MS = 600_000

export function addAttachCommand(program: Command, context: CommandContext): void {
  const { terminal, cwd } = context
  context
    .command(program, {
      usage: 'attach <execution>',
      description: 'follow an execution live, with its attempts, sections, durations and check results',
      more: 'Ctrl-C detaches; the execution continues. If the server restarts, attach tries to reconnect for ten minutes, without losing or repeating a line. The exit code says how the execution ended.\nWith --json: {"type": "session" | "log" | "session_end" | "verification" | "execution", …}; the last value is the execution as it ended.',
      stream: true,
      arguments: { execution: 'execution id, or bead id for its newest execution' },
      examples: [
        'beadloom attach bl-4f2',
        'beadloom attach ex-4k1m9x2c7q',
        'beadloom attach bl-4f2 --json | jq -c \'select(.type == "verification") | [.attempt, .name, .passed]\'',
      ],
      exits: [...clientExits, ...executionExits],
    })
    .addOption(projectOption())
    .action(
      context.run(async ({ api, json, args, options }) => {
        const given = String(args[0])
        const how = (id: string) => `beadloom attach ${given} --project ${id}`
        const id = await chooseExecution(api, given, { named: options['project'], cwd, how })
        noEndYet()
        if (!json) for (const line of await planLines(api, id)) terminal.write(`${line}\n`)
        const sink = json ? jsonSink(terminal) : peopleSink(terminal)
        const again = `beadloom attach ${id}`
        const ended = await untilInterrupted(terminal, id, again, () =>
          followExecution(api, id, sink, systemClock, GIVE_UP_AFTER_MS),
        )
        if (json) terminal.write(jsonLine({ type: 'execution', ...ended }))
        else {
          for (const line of await planLines(api, id)) terminal.write(`${line}\n`)
          // The check results were printed already, each in its place.
          const noted = [digestLines, noteLines, nextLines].flatMap((lines) => lines(ended))
          for (const line of noted) terminal.write(`${line}\n`)
          terminal.write(`${paintOf(terminal.colour)[toneOf[ended.state] ?? 'plain'](lastLine(ended))}\n`)
        }
        process.exitCode = exitOfExecution(ended.state)
      }),
    )
}
