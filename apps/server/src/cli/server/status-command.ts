import { counted } from '@beadloom/core/text/count-text.ts'
import type { Command } from 'commander'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { segment, type ApiClient } from '../api-client.ts'
import { ageText } from '../../health/backup-check.ts'
import type { CommandContext } from '../context.ts'
import { runningFacts } from '../board/board-rows.ts'
import { waitText } from '../executions/execution-notes.ts'
import { glyph, print, table, type Cell } from '../terminal/output.ts'
import { paintOf, toneOf, type Paint } from '../terminal/paint.ts'
import { oneLiner, plainText, wrapText } from '../terminal/terminal-text.ts'
import { NoServer } from '../../health/server-file.ts'
import { UserError } from '../../process/user-error.ts'

const NAME_COLUMNS = 11
const LEAST_FACT_COLUMNS = 20

export function addStatusCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'status',
      description: 'show slots, queue, Docker, model, backups and the dashboard link',
      examples: ['beadloom status', 'beadloom status --json | jq .slots'],
    })
    .action(
      context.run(async ({ api, json }) => {
        const status = await api.get<ServerStatus>('/api/status')
        const { url, token } = await api.connection()
        const dashboard = `${url}/?token=${token}`
        if (json) return print(context.terminal, json, { ...status, dashboard }, () => '')
        const running = await Promise.all(status.running.map((id) => executionIfThere(api, id)))
        const { columns, colour } = context.terminal
        print(context.terminal, json, status, () =>
          describe(status, running.flat(), dashboard, { columns, paint: paintOf(colour) }),
        )
      }),
    )
}

/** The execution; empty if it went away with its project since the status was read. */
async function executionIfThere(api: ApiClient, id: string): Promise<ExecutionView[]> {
  try {
    return [await api.get<ExecutionView>(`/api/executions/${segment(id)}`)]
  } catch (error) {
    if (error instanceof UserError && !(error instanceof NoServer)) return []
    throw error
  }
}

function describe(
  status: ServerStatus,
  executions: ExecutionView[],
  dashboard: string,
  { columns, paint }: { columns: number; paint: Paint },
): string {
  const { slots, warm, docker, model, disk, database, databaseNote, now, queue } = status
  const room = Math.max(LEAST_FACT_COLUMNS, columns - NAME_COLUMNS)
  const fact = (name: string, text: string): string =>
    `${name.padEnd(NAME_COLUMNS)}${wrapText(oneLiner(text), room).join(`\n${' '.repeat(NAME_COLUMNS)}`)}`
  const lines = [
    `${'Dashboard'.padEnd(NAME_COLUMNS)}${plainText(dashboard)}`, // never cut: people open it
    fact('Slots', `${slots.used} of ${slots.total} in use${warm > 0 ? `; warm containers: ${warm}` : ''}`),
    fact('Docker', docker.ok && docker.where !== null ? `${docker.text}; ${docker.where}` : docker.text),
    fact('Model', model.text),
    fact('Backups', backupText(status)),
  ]
  if (!disk.ok)
    lines.push(fact('Disk', `only ${(disk.freeBytes / 1024 ** 3).toFixed(1)} GiB free: nothing starts below 2 GiB`))
  if (database)
    lines.push(fact('Database', `${database.text}, since ${ageText(status.now - database.since)}: changes wait`))
  else if (databaseNote) lines.push(fact('Note', `${ageText(now - databaseNote.at)}: ${databaseNote.text}.`))
  const named = (state: string, id: string): Cell => ({
    text: `${glyph[state]} ${id}`,
    paint: paint[toneOf[state] ?? 'plain'],
  })
  const rows: Cell[][] = [
    ...executions.map((one) => [named('RUNNING', one.id), one.project, one.bead, runningText(one, status.now)]),
    ...queue.map((one) => [named('QUEUED', one.execution), one.project, one.bead, one.reason?.text ?? 'next']),
  ]
  return [...lines, ...(rows.length > 0 ? ['', table(rows, columns)] : [])].join('\n')
}

function backupText({ backups, now }: ServerStatus): string {
  if (backups === null) return 'off; "beadloom backup" makes one'
  const { newest, kept, problem } = backups
  const there = newest === null ? 'none yet' : `${counted(kept, 'copy', 'copies')}, newest ${ageText(now - newest)}`
  return problem === null ? there : `${there}. ${problem}`
}

function runningText(execution: ExecutionView, now: number): string {
  const activity = waitText(execution, now) ?? execution.activity
  return [runningFacts(execution, now), ...(activity ? [activity] : [])].join(', ')
}
