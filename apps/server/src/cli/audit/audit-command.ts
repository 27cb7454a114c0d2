import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Command } from 'commander'
import type { Page } from '@beadloom/core/api/api.ts'
import type { AuditCut, AuditEnds, AuditView } from '@beadloom/core/api/people/audit-api.ts'
import { wrongStart } from '@beadloom/core/audit/check-chain.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { messageOf } from '@beadloom/core/text/message-of.ts'
import { safeJson } from '@beadloom/core/text/safe-json.ts'
import type { ApiClient } from '../api-client.ts'
import type { CommandContext } from '../context.ts'
import { CliError, exitCode } from '../exit-code.ts'
import { jsonLine, print, type Terminal } from '../terminal/output.ts'
import { paintOf } from '../terminal/paint.ts'
import { auditList } from './audit-text.ts'
import { followChain, type Chain, type Source } from './follow-chain.ts'

const EXPORT = '/api/audit/export'
const SHOWN = 50
const PAGE = 1_000

type Filter = Partial<Record<'by' | 'project' | 'action', string | undefined>>

/** `audit`, `audit verify`, `audit archive`. */
export function addAuditCommands(program: Command, context: CommandContext): void {
  const { terminal } = context
  const audit = context
    .group(program, {
      usage: 'audit',
      description: "list people's actions and refused requests, newest first",
      stream: true,
      more: `Each entry has the hash of the one before it. With --json and no filter it prints the whole chain, oldest first, as "audit verify" reads it; with a filter it prints the matching entries, newest first, which are not a chain.`,
      examples: [
        'beadloom audit',
        'beadloom audit --by ada --project acme',
        'beadloom audit --json > audit.jsonl',
        'beadloom audit verify',
      ],
    })
    .option('--by <name>', 'only actions of this person ("token": anybody with the access token)')
    .option('-p, --project <id>', 'only what was done to this project')
    .option('--action <name>', 'only this action, such as queued or secret_set')
    .option('--limit <n>', `how many (default: ${SHOWN}; with --json all)`)
    .action(
      context.run(async ({ api, json, options }) => {
        const { by, project, action } = options as Filter
        const filter = { by, project, action }
        const limit = limitOf(options['limit'])
        const isWhole = limit === null && !by && !project && !action
        if (json && isWhole) return printPieces(terminal, api.stream(EXPORT))
        const items = entries(api, filter, limit ?? (json ? Infinity : SHOWN))
        if (!json) {
          const all: AuditView[] = []
          for await (const entry of items) all.push(entry)
          return print(terminal, false, all, () => auditList(all, terminal.columns, paintOf(terminal.colour)))
        }
        for await (const entry of items) if (!terminal.write(jsonLine(entry))) await terminal.drained()
      }),
    )
  context
    .command(audit, {
      usage: 'verify [file...]',
      description: "check that the server's audit log, or files exported from it, are one unbroken chain",
      more: 'Names the first entry that was changed, removed or inserted, and exits with 1. Several files are read as one, in their order. Only somebody who knows a later hash can notice that entries are missing at the end: keep the printed head in another place, and pass it with --holds next time.',
      arguments: { file: "exported files, oldest first (default: the server's log)" },
      examples: ['beadloom audit verify', 'beadloom audit verify 2026.jsonl', 'beadloom audit verify --holds 3f0c…'],
    })
    .option('--holds <hash>', 'fail unless the chain has the entry with this hash')
    .action(
      context.run(async ({ api, json, args, options }) => {
        const files = (args[0] ?? []) as string[]
        const sources =
          files.length > 0 ? files.map(fileSource) : [{ name: 'the audit log', pieces: api.stream(EXPORT) }]
        const wanted = hashOf(options['holds'])
        const begins = async () => (await api.get<AuditEnds>('/api/audit/head')).begins
        const before = files.length > 0 ? null : await begins()
        const chain = await followChain(sources, wanted)
        if (before !== null) {
          // Another person may archive at the same time.
          const wrong = wrongStart(chain?.first ?? null, before) && wrongStart(chain?.first ?? null, await begins())
          if (wrong) throw new CliError(`the audit log: ${wrong}. Entries before it are missing.`)
        }
        if (chain === null && files.length > 0) throw new CliError(`${files.join(', ')}: no entries`)
        if (wanted !== null && chain?.holds !== true)
          throw new CliError(
            'the chain is unbroken, but has no entry with that hash: entries are missing, or it was rewritten',
          )
        print(terminal, json, chain ?? { entries: 0 }, () => chainText(chain))
      }),
    )
  context
    .command(audit, {
      usage: 'archive <file>',
      description: 'export the audit log into a new file, check it there, and remove those entries from the database',
      more: 'Nothing else ever removes entries. The hash of the last one stays, and the chain continues from it: the archives and the log are one chain for "audit verify". Keep the file.',
      arguments: { file: 'a file that does not exist yet' },
      examples: ['beadloom audit archive audit-2026.jsonl'],
    })
    .action(
      context.run(async ({ api, json, args }) => {
        const file = String(args[0])
        await writeNew(file, api.stream(EXPORT))
        const chain = await followChain([fileSource(file)])
        if (chain === null) throw new CliError(`the audit log has no entry: ${file} is empty, and nothing was removed`)
        const cut = await api.send<AuditCut>('POST', '/api/audit/cut', chain.last)
        print(
          terminal,
          json,
          { file, ...chain, removed: cut.removed },
          () => `${chainText(chain)}\n${file} has them; they were removed from the database.`,
        )
      }),
    )
}

function limitOf(given: unknown): number | null {
  if (given === undefined) return null
  if (!/^[1-9]\d{0,8}$/.test(String(given))) throw new CliError('--limit must be a whole number from 1', exitCode.usage)
  return Number(given)
}

function hashOf(given: unknown): string | null {
  if (given === undefined) return null
  if (!/^[0-9a-f]{64}$/.test(String(given)))
    throw new CliError(
      '--holds must be the 64 characters of a hash, as "beadloom audit verify" prints it',
      exitCode.usage,
    )
  return String(given)
}

async function* entries(api: ApiClient, filter: Filter, most: number): AsyncGenerator<AuditView> {
  let left = most
  let cursor: string | undefined
  do {
    const query = new URLSearchParams({ limit: String(Math.min(left, PAGE)) })
    for (const [name, value] of Object.entries({ ...filter, cursor })) if (value) query.set(name, value)
    const page = await api.get<Page<AuditView>>(`/api/audit?${query}`)
    yield* page.items
    left -= page.items.length
    cursor = page.next
  } while (cursor !== undefined && left > 0)
}

async function printPieces(terminal: Terminal, pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) if (!terminal.write(safeJson(piece))) await terminal.drained()
}

function fileSource(file: string): Source {
  async function* pieces(): AsyncGenerator<string> {
    try {
      for await (const piece of createReadStream(file, 'utf8')) yield piece as string
    } catch (error) {
      throw new CliError(`${file} cannot be read: ${messageOf(error)}`)
    }
  }
  return { name: file, pieces: pieces() }
}

/** Writes the archive to the disk before anything is removed: if a power cut undid it, the entries would be lost. */
async function writeNew(file: string, pieces: AsyncIterable<string>): Promise<void> {
  const handle = await open(file, 'wx', 0o600).catch((error: unknown) => {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST'
    throw new CliError(
      exists ? `${file} exists already: name a new file` : `${file} cannot be written: ${messageOf(error)}`,
    )
  })
  try {
    for await (const piece of pieces) await handle.appendFile(piece)
    await handle.sync()
    await syncFolder(dirname(file))
  } catch (error) {
    await rm(file, { force: true }) // half an archive would only block the next try
    throw error
  } finally {
    await handle.close()
  }
}

/** Puts the file's name on the disk too: without it nobody would find the file. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r').catch(() => null) // its owner may forbid reading
  await handle?.sync().catch(() => {}) // not every file system supports it
  await handle?.close()
}

function chainText(chain: Chain | null): string {
  if (chain === null) return 'The audit log has no entry yet.'
  const { entries: count, first, last } = chain
  return `${counted(count, 'entry', 'entries')}, ${first.number} to ${last.number}: one unbroken chain.\nHead: ${last.hash}`
}
