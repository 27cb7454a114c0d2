import { lstat, readdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { counted } from '@beadloom/core/text/count-text.ts'
import { fileStamp } from '@beadloom/core/text/file-stamp.ts'
import type { Command } from 'commander'
import { StoreError } from '../../ports/store/errors.ts'
import { systemClock } from '../../process/clock.ts'
import { backupFolder } from '../../app/backups/backup-folder.ts'
import type { BackUp } from '../../store/database/back-up.ts'
import type { CommandContext } from '../context.ts'
import { makeFolder } from '../../process/data-folder.ts'
import { CliError, localExits } from '../exit-code.ts'
import { print, table } from '../terminal/output.ts'
import { plainText, wrapText } from '../terminal/terminal-text.ts'

/** The other parts of a data folder. The token and the sockets are made anew. */
const others = [
  { name: 'hub', what: 'the clones, with all work that was saved or is still to be pushed' },
  { name: 'logs', what: 'session logs' },
  { name: 'demo', what: "the demo project's remote" },
  { name: 'config.json', what: "the server's settings" },
]

type Other = { path: string; bytes: number; what: string }

export function addBackupCommand(program: Command, context: CommandContext): void {
  context
    .command(program, {
      usage: 'backup [file]',
      description: 'back up the database, and verify the copy',
      more: `A running server backs up its database every hour, into backups in the data folder. This command makes a copy at any other time, or in any other place.
It works with or without a running server and does not disturb it. The copy is opened and verified before it gets its name; nothing is overwritten.
The rest of the data folder is listed with its size. Those files only grow or are replaced whole, so copy them after the database, with any tool.
"beadloom restore" goes back to one.`,
      arguments: { file: 'where to put the copy (default: backups/beadloom-DATE.db in the data folder)' },
      examples: [
        'beadloom backup',
        'beadloom backup /mnt/backup/beadloom-monday.db',
        "beadloom backup --json | jq -r '.file, .others[].path' | rsync -a --files-from=- / /mnt/backup/",
      ],
      exits: localExits,
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const { data } = api
        const file = args[0] === undefined ? defaultFile(data) : resolve(context.cwd, String(args[0]))
        const made = await backUp(data, file)
        const rest = await othersIn(data)
        print(context.terminal, json, { ...made, verified: true, others: rest }, () =>
          describe(made, rest, context.terminal.columns),
        )
      }),
    )
}

/** Not a name that the server uses, because it removes its own backups in time. */
const defaultFile = (data: string): string => join(backupFolder(data), `beadloom-${fileStamp(systemClock.now())}.db`)

async function backUp(data: string, file: string): Promise<BackUp> {
  const database = join(data, 'beadloom.db')
  const there = await lstat(database).catch(() => null)
  if (!there)
    throw new CliError(
      `there is no database in ${data}: name the server's data folder with --data, or start the server once.`,
    )
  const { backUpDatabase } = await import('../../store/database/back-up.ts')
  try {
    await makeFolder(dirname(file))
    return backUpDatabase(database, file)
  } catch (error) {
    if (error instanceof StoreError && error.kind === 'not-writable')
      throw new CliError(`${file} cannot be written${reasonOf(error)}: name another file.`)
    if (error instanceof StoreError) throw new CliError(error.message)
    const { code, message } = error as NodeJS.ErrnoException
    if (code === 'EEXIST') throw new CliError(`${file} already exists. Name another file: nothing is overwritten.`)
    if (typeof code === 'string') throw new CliError(`${file} cannot be written: ${message}`)
    throw error
  }
}

const reasonOf = ({ cause }: Error): string => (cause instanceof Error ? ` (${cause.message})` : '')

async function othersIn(data: string): Promise<Other[]> {
  const found = await Promise.all(
    others.map(async ({ name, what }) => {
      const path = join(data, name)
      const bytes = await bytesOf(path)
      return bytes === null ? [] : [{ path, bytes, what }]
    }),
  )
  return found.flat()
}

/**
 * The bytes of a file, or of everything in a folder; null if neither exists. Files that disappear meanwhile count as
 * nothing.
 */
async function bytesOf(path: string): Promise<number | null> {
  const there = await lstat(path).catch(() => null)
  if (there === null) return null
  if (!there.isDirectory()) return there.size
  let sum = 0
  // One folder at a time: a hub has many thousands of them.
  for (const name of await readdir(path).catch(() => [])) sum += (await bytesOf(join(path, name))) ?? 0
  return sum
}

function describe(
  { file, bytes, schema, projects, beads, executions }: BackUp,
  rest: Other[],
  columns: number,
): string {
  const counts = [counted(projects, 'project'), counted(beads, 'bead'), counted(executions, 'execution')].join(', ')
  const lines = [
    `✓ ${plainText(file)}`, // never cut: people copy it
    ...wrapText(`${sizeText(bytes)}, verified: ${counts} (schema ${schema})`, columns - 2).map((line) => `  ${line}`),
  ]
  if (rest.length === 0) return lines.join('\n')
  const rows = rest.map(({ path, bytes: size, what }) => [path, sizeText(size), what])
  const more = wrapText('A full backup needs these too, copied after the database:', columns)
  return [...lines, '', ...more, indented(rows, columns)].join('\n')
}

const indented = (rows: string[][], columns: number): string =>
  table(rows, columns - 2)
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n')

function sizeText(bytes: number): string {
  if (bytes < 1024 ** 2) return `${Math.ceil(bytes / 1024)} KiB`
  return bytes < 1024 ** 3 ? `${(bytes / 1024 ** 2).toFixed(1)} MiB` : `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}
