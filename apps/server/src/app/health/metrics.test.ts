import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../../process/own-files.ts'
import type { FigureRow } from '../../ports/store/figures.ts'
import { figuresOf } from './figures.ts'
import type { Load } from './load.ts'
import { metricsText } from './metrics.ts'

const row = (name: FigureRow['name'], a: string, b: string, value: number): FigureRow => ({ name, a, b, value })
const rows: FigureRow[] = [
  row('attempts', '1', '', 5),
  row('attempts', '3', '', 2),
  row('complex_end', 'COMPLETED', '', 2),
  row('complex_end', 'FAILED', 'tests_failed', 2),
  row('complex_retry', 'run', 'agent_killed', 3),
  row('context_used_up', 'complex', '', 1),
  row('end', 'CANCELLED', '', 2),
  row('end', 'COMPLETED', '', 6),
  row('end', 'FAILED', 'tests_failed', 2),
  row('fresh_start', 'simple', '', 3),
  row('first_event', '1000', '', 7),
  row('first_event_sum', '', '', 3500),
  row('queue', '-1', '', 1),
  row('queue', '5000', '', 3),
  row('queue_sum', '', '', 9000),
  row('retry', 'api_call', 'rate_limited', 4),
  row('retry', 'verification', 'odd "reason"\\\n', 1),
  row('handover', 'complex', '', 4),
  row('review_attempts', '1', '', 4),
  row('review_end', 'COMPLETED', '', 3),
  row('review_end', 'FAILED', 'agent_failed', 40),
  row('review_retry', 'run', 'agent_exited', 9),
  row('retry', 'run', 'agent_killed', 7),
  row('review', '', '', 1),
  row('review', 'not_ready', '', 4),
  row('review_issue', 'high', '', 6),
  row('sub_agent', 'complex', '', 2),
  row('sub_agent', 'simple', '', 5),
  row('tokens', 'input', '', 1200),
  row('verification', 'test', 'failed', 3),
]
const counts = (figures: FigureRow[]) => ({ figures: () => figures, figureBuckets: () => [1000, 5000] })
const status = (figures: FigureRow[]): ServerStatus => ({
  version: '1',
  startedAt: 0,
  now: 5000,
  slots: { total: 3, used: 1 },
  warm: 0,
  queue: [],
  running: [],
  engines: [],
  docker: { ok: true, text: '', where: null, weaker: [] },
  model: { name: null, ok: false, text: '' },
  disk: { freeBytes: 10, ok: true },
  database: null,
  databaseNote: null,
  backups: { newest: 4000, kept: 1, problem: null },
  figures: figuresOf(counts(figures)),
})
const load: Load = {
  projects: [{ project: 'library', queued: 4, running: 2 }],
  engines: [
    { engine: 'local', up: true, slots: { total: 3, used: 1 } },
    { engine: 'cluster', up: false, slots: { total: 12, used: 7 } },
  ],
  containers: [{ engine: 'cluster', state: 'held', count: 7 }],
}
const text = (figures: FigureRow[]) => metricsText(status(figures), process.memoryUsage(), load)

test('the figures say how executions ended, how many tries they took and how long things lasted', () => {
  const lines = text(rows).split('\n')
  for (const line of [
    'beadloom_executions_total{kind="work",state="COMPLETED",reason="",complex="false"} 4',
    'beadloom_executions_total{kind="work",state="COMPLETED",reason="",complex="true"} 2',
    'beadloom_executions_total{kind="work",state="FAILED",reason="tests_failed",complex="true"} 2',
    'beadloom_executions_total{kind="review",state="FAILED",reason="agent_failed",complex="false"} 40',
    'beadloom_attempts_bucket{le="1"} 5',
    'beadloom_attempts_bucket{le="3"} 7',
    'beadloom_attempts_sum 11',
    'beadloom_retries_total{kind="work",layer="api_call",reason="rate_limited",complex="false"} 4',
    'beadloom_retries_total{kind="work",layer="execution",reason="agent_killed",complex="false"} 4',
    'beadloom_retries_total{kind="work",layer="execution",reason="agent_killed",complex="true"} 3',
    'beadloom_retries_total{kind="review",layer="execution",reason="agent_exited",complex="false"} 9',
    'beadloom_fresh_starts_total{complex="true"} 0',
    'beadloom_fresh_starts_total{complex="false"} 3',
    'beadloom_handovers_total{complex="true"} 4',
    'beadloom_sub_agents_total{complex="true"} 2',
    'beadloom_sub_agents_total{complex="false"} 5',
    'beadloom_context_used_up_total{complex="true"} 1',
    'beadloom_verifications_total{type="test",result="failed"} 3',
    `beadloom_retries_per_execution{layer="api_call"} ${4 / 7}`,
    'beadloom_retries_per_execution{layer="execution"} 1',
    `beadloom_retries_per_execution{layer="attempt"} ${1 / 7}`,
    'beadloom_retries_per_execution{layer="follow_up"} 0',
    'beadloom_success_ratio 0.75',
    'beadloom_queue_seconds_bucket{le="1"} 0',
    'beadloom_queue_seconds_bucket{le="5"} 3',
    'beadloom_queue_seconds_bucket{le="+Inf"} 4',
    'beadloom_queue_seconds_sum 9',
    'beadloom_queue_seconds_count 4',
    'beadloom_first_event_seconds_bucket{le="1"} 7',
    'beadloom_tokens_total{direction="input"} 1200',
    'beadloom_tokens_total{direction="output"} 0',
    'beadloom_reviews_total{verdict=""} 1',
    'beadloom_reviews_total{verdict="not_ready"} 4',
    'beadloom_review_issues_total{severity="high"} 6',
    'beadloom_review_issues_total{severity="low"} 0',
    'beadloom_slots_used 1',
    'beadloom_engine_slots{engine="cluster"} 12',
    'beadloom_engine_slots_used{engine="cluster"} 7',
    'beadloom_backup_newest_seconds 4',
  ]) {
    expect(lines).toContain(line)
  }
})

test('labels are escaped, so that each line stays one', () => {
  expect(text(rows)).toContain('{kind="work",layer="attempt",reason="odd \\"reason\\"\\\\\\n",complex="false"} 1')
  const shape = /^(?:# (?:HELP|TYPE) \w+ .+|\w+(?:\{\w+="(?:[^"\\]|\\.)*"(?:,\w+="(?:[^"\\]|\\.)*")*\})? [\d.e+-]+)$/
  for (const line of text(rows).trimEnd().split('\n')) expect(line).toMatch(shape)
})

test('before the first execution nothing is made up', () => {
  const { averageRetries, successRate } = figuresOf(counts([]))
  expect([averageRetries, successRate]).toEqual([null, null])
  expect(text([])).not.toMatch(/NaN|null|beadloom_success_ratio \d/)
})

/** A quotient of sums, from the lines of an answer to Prometheus. */
function quotient(expression: string, lines: readonly string[]): number {
  const value = expression.replaceAll(/sum\((\w+)(?:\{(.*?)\})?\)/g, (_, name: string, matchers = '') => {
    const wanted = [...(matchers as string).matchAll(/(\w+)(!?=)"(\w+)"/g)]
    const own = lines.filter(
      (line) =>
        line.startsWith(`${name}{`) &&
        wanted.every(([, label, sign, is]) => line.includes(`${label}="${is}"`) === (sign === '=')),
    )
    expect(own, `${name}{${matchers}}`).not.toEqual([])
    return `${own.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)}`
  })
  const [upper = 0, lower = 0] = value.split(' / ').map((side) =>
    side
      .replaceAll(/[()]/g, '')
      .split(' + ')
      .reduce((sum, part) => sum + Number(part), 0),
  )
  return upper / lower
}

test('each target in the documents can be read off the figures, complex beads apart', () => {
  const documented = readFileSync(join(root, 'docs', 'metrics.md'), 'utf8')
  const aims = [...documented.matchAll(/^- .+: `(\(?sum\(.+)`$/gm)].map(([, expression]) => expression ?? '')
  const seen = text(rows).split('\n')
  expect(aims.map((aim) => quotient(aim, seen))).toEqual([2 / 4, (7 + 1 + 3) / 8, 1 / 8, 2 / 4])
})

test('the figures say which work is done where', () => {
  const lines = text([]).split('\n')
  for (const line of [
    'beadloom_project_queued{project="library"} 4',
    'beadloom_project_running{project="library"} 2',
    'beadloom_engine_up{engine="local"} 1',
    'beadloom_engine_up{engine="cluster"} 0',
    'beadloom_engine_containers{engine="cluster",state="held"} 7',
  ])
    expect(lines).toContain(line)
})

test('each panel of the Grafana dashboard asks for existing figures, by labels that they have', () => {
  const { panels, templating } = JSON.parse(
    readFileSync(join(root, 'charts', 'beadloom', 'dashboards', 'beadloom.json'), 'utf8'),
  ) as {
    panels: { title: string; targets: { expr: string; legendFormat: string }[] }[]
    templating: { list: { name: string }[] }
  }
  expect(templating.list.map(({ name }) => name)).toEqual(['datasource'])
  expect(panels.length).toBeGreaterThan(12)
  const seen = text(rows)
  for (const { title, targets } of panels)
    for (const { expr, legendFormat } of targets) {
      const named = [...expr.matchAll(/\b((?:beadloom|process)_\w+)/g)].map(([, name]) => name ?? '')
      expect([title, named.length]).not.toEqual([title, 0])
      const labels = [
        ...[...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name),
        ...[...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, list]) => list?.split(/,\s*/) ?? []),
        ...[...expr.matchAll(/(\w+)="/g)].map(([, name]) => name),
      ]
      for (const name of named) {
        const lines = seen.split('\n').filter((line) => new RegExp(`^${name}[{ ]`).test(line))
        expect([title, name, lines.length > 0]).toEqual([title, name, true])
        for (const label of labels)
          expect([title, label, lines[0]?.includes(`${label}="`)]).toEqual([title, label, true])
      }
    }
})
