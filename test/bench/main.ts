import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'
import { join } from 'node:path'
import { agents } from './agents.ts'
import { dashboardLog } from './dashboard-log.ts'
import { dashboardBoard } from './dashboard-board.ts'
import { dashboardDiff } from './dashboard-diff.ts'
import { dashboardGraph } from './dashboard-graph.ts'
import { database } from './database.ts'
import { digest } from './digest.ts'
import { gateway } from './gateway.ts'
import { link } from './link.ts'
import { memory } from './memory.ts'
import { output } from './output.ts'
import { pauses } from './pauses.ts'
import { phases } from './phases.ts'
import { dispatching } from './dispatching.ts'
import { scheduling } from './scheduling.ts'
import { recovery } from './recovery.ts'
import { requests } from './requests.ts'
import { start } from './start.ts'
import { told } from './told.ts'
import { tracker } from './tracker.ts'
import { isMet, median, ratioOf, type Report } from './support/figure.ts'
import { readOptions, usage, type Name, type Options } from './support/options.ts'
import { tableOf } from './support/table.ts'

/* Figures, not tests: nothing here fails because something is slow. */

const benches: Record<Name, (rounds: number | null) => Promise<Report>> = {
  start,
  phases,
  output,
  requests,
  'dashboard-log': dashboardLog,
  'dashboard-board': dashboardBoard,
  'dashboard-diff': dashboardDiff,
  'dashboard-graph': dashboardGraph,
  scheduling,
  dispatching,
  tracker,
  digest,
  memory,
  recovery,
  pauses,
  database,
  agents,
  gateway,
  link,
  told,
}

function options(): Options {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`)
    process.exit(2)
  }
}

const { only, rounds, help } = options()
if (help) {
  console.log(usage)
  process.exit(0)
}

const startedAt = new Date()
const report: Report = { rows: [], parts: [] }
for (const name of only) {
  console.error(`── ${name} ──`)
  const { rows, parts } = await benches[name](rounds)
  report.rows.push(...rows)
  report.parts.push(...parts)
}

const [cpu] = cpus()
const machine = {
  cpus: cpus().length,
  cpu: cpu?.model ?? 'unknown',
  memoryGiB: Math.round(totalmem() / 1024 ** 3),
  node: process.version,
  docker: dockerVersion(),
}
const folder = join(import.meta.dirname, '..', '..', 'bench-results')
const file = join(folder, `${startedAt.toISOString().slice(0, 19).replaceAll(':', '-')}.json`)
mkdirSync(folder, { recursive: true })
writeFileSync(
  file,
  `${JSON.stringify(
    {
      at: startedAt.toISOString(),
      machine,
      rows: report.rows.map((row) => ({
        ...row,
        median: median(row.ours.values),
        ratio: ratioOf(row),
        met: isMet(row),
      })),
      parts: report.parts,
    },
    null,
    2,
  )}\n`,
)
console.log(
  `\n${tableOf(report)}\n\nMedians, with the least and the most in brackets; a ratio is the median over the rounds. MB are millions of bytes.`,
)
console.log(
  `${machine.cpus} CPUs (${machine.cpu}), ${machine.memoryGiB} GiB, Node ${machine.node}, Docker ${machine.docker}. Written to ${file}`,
)

function dockerVersion(): string {
  try {
    return execFileSync('docker', ['version', '--format', '{{.Server.Version}}'], { encoding: 'utf8' }).trim()
  } catch {
    return 'of an unknown version' // a remote engine's command line may be missing here
  }
}
