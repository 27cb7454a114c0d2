import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import type { Load } from './load.ts'
import type { ByComplexity, Durations, Figures, RetryLayer } from '@beadloom/core/api/server/figures-api.ts'

type Labels = Record<string, string>
type Sample = { labels?: Labels; value: number; suffix?: '_bucket' | '_sum' | '_count' }
type Family = { name: string; type: 'gauge' | 'counter' | 'histogram'; help: string; samples: Sample[] }

/** Prometheus' text format. */
export const metricsText = (status: ServerStatus, memory: NodeJS.MemoryUsage, load: Load): string =>
  [...serverFamilies(status, memory), ...loadFamilies(load), ...executionFamilies(status)].map(familyText).join('')

const loadFamilies = ({ projects, engines, containers }: Load): Family[] => [
  one(
    'gauge',
    'beadloom_project_queued',
    'Executions of a project that are queued.',
    projects.map(({ project, queued }) => ({ labels: { project }, value: queued })),
  ),
  one(
    'gauge',
    'beadloom_project_running',
    'Executions of a project that run.',
    projects.map(({ project, running }) => ({ labels: { project }, value: running })),
  ),
  one(
    'gauge',
    'beadloom_engine_up',
    '1 when an engine that projects use answers.',
    engines.map(({ engine, up }) => ({ labels: { engine }, value: up ? 1 : 0 })),
  ),
  one(
    'gauge',
    'beadloom_engine_slots',
    'Slots of an engine.',
    engines.map(({ engine, slots }) => ({ labels: { engine }, value: slots.total })),
  ),
  one(
    'gauge',
    'beadloom_engine_slots_used',
    'Slots of an engine that are in use.',
    engines.map(({ engine, slots }) => ({ labels: { engine }, value: slots.used })),
  ),
  one(
    'gauge',
    'beadloom_engine_containers',
    'Containers on an engine, by what they are for now.',
    containers.map(({ engine, state, count }) => ({ labels: { engine, state }, value: count })),
  ),
]

function serverFamilies(status: ServerStatus, memory: NodeJS.MemoryUsage): Family[] {
  const gauge = (name: string, help: string, value: number): Family => one('gauge', name, help, [{ value }])
  const newest = status.backups?.newest ?? null
  return [
    gauge('beadloom_slots', 'Slots for executions.', status.slots.total),
    gauge('beadloom_slots_used', 'Slots in use.', status.slots.used),
    gauge('beadloom_queue_length', 'Executions that are queued.', status.queue.length),
    gauge('beadloom_docker_up', '1 when the container engine answers.', status.docker.ok ? 1 : 0),
    gauge('beadloom_disk_free_bytes', 'Free disk space in the data folder.', status.disk.freeBytes),
    one(
      'gauge',
      'beadloom_backup_newest_seconds',
      'When the newest backup was made, in seconds since 1970.',
      newest === null ? [] : [{ value: newest / 1000 }],
    ),
    gauge('beadloom_uptime_seconds', 'Seconds since the server started.', (status.now - status.startedAt) / 1000),
    gauge('process_resident_memory_bytes', 'Resident memory of the server.', memory.rss),
  ]
}

function executionFamilies({ figures }: ServerStatus): Family[] {
  const { ended, attempts, retries, verifications, averageRetries, successRate, queue, firstEvent, tokens } = figures
  const { reviews, reviewIssues } = figures
  const ofWork = attempts.filter(({ kind }) => kind === 'work')
  const gauge = (name: string, help: string, value: number | null): Family =>
    one('gauge', name, help, value === null ? [] : [{ value }])
  return [
    one(
      'counter',
      'beadloom_executions_total',
      'Executions that ended, by kind, state and reason, of complex beads and others.',
      ended.map(({ kind, state, reason, complex, count }) => ({
        labels: { kind, state, reason: reason ?? '', complex: `${complex}` },
        value: count,
      })),
    ),
    one('histogram', 'beadloom_attempts', 'Attempts of an execution of work, when it ended.', attemptSamples(ofWork)),
    one(
      'counter',
      'beadloom_retries_total',
      'Retries, by kind, layer and reason, of complex beads and others.',
      retries.map(({ kind, layer, reason, complex, count }) => ({
        labels: { kind, layer, reason, complex: `${complex}` },
        value: count,
      })),
    ),
    one(
      'counter',
      'beadloom_fresh_starts_total',
      'Fresh starts of the built-in agent within its session.',
      complexitySamples(figures.freshStarts),
    ),
    one(
      'counter',
      'beadloom_handovers_total',
      'Fresh contexts of the built-in agent and its sub-agents, because the one before was nearly full.',
      complexitySamples(figures.handovers),
    ),
    one(
      'counter',
      'beadloom_sub_agents_total',
      'Sub-agents that the built-in agent asked.',
      complexitySamples(figures.subAgents),
    ),
    one(
      'counter',
      'beadloom_context_used_up_total',
      'Executions of work that failed, or ran out of time, with an agent whose context was nearly full.',
      complexitySamples(figures.contextUsedUp),
    ),
    one(
      'counter',
      'beadloom_verifications_total',
      'Steps of verifications, by type and result.',
      verifications.map(({ type, passed, count }) => ({
        labels: { type, result: passed ? 'passed' : 'failed' },
        value: count,
      })),
    ),
    one(
      'gauge',
      'beadloom_retries_per_execution',
      'Retries for each execution of work that ended, by layer.',
      averageSamples(averageRetries),
    ),
    gauge(
      'beadloom_success_ratio',
      'Share of executions of work that ended COMPLETED, without the cancelled ones.',
      successRate,
    ),
    one('histogram', 'beadloom_queue_seconds', 'From queued to started.', durationSamples(queue)),
    one(
      'histogram',
      'beadloom_first_event_seconds',
      "From the start of an agent's session to its container's first event.",
      durationSamples(firstEvent),
    ),
    one('counter', 'beadloom_tokens_total', 'Tokens that models counted, or estimated.', [
      { labels: { direction: 'input' }, value: tokens.input },
      { labels: { direction: 'output' }, value: tokens.output },
    ]),
    one(
      'counter',
      'beadloom_reviews_total',
      'Reviews that ended, by verdict.',
      reviews.map(({ verdict, count }) => ({ labels: { verdict: verdict ?? '' }, value: count })),
    ),
    one(
      'counter',
      'beadloom_review_issues_total',
      'Beads that reviews filed, by severity.',
      reviewIssues.map(({ severity, count }) => ({ labels: { severity }, value: count })),
    ),
  ]
}

const one = (type: Family['type'], name: string, help: string, samples: Sample[]): Family => ({
  name,
  type,
  help,
  samples,
})

const complexitySamples = ({ complex, simple }: ByComplexity): Sample[] => [
  { labels: { complex: 'true' }, value: complex },
  { labels: { complex: 'false' }, value: simple },
]

function averageSamples(averages: Figures['averageRetries']): Sample[] {
  if (averages === null) return []
  const { apiCall, execution, attempt, followUp } = averages
  const byLayer: Record<RetryLayer, number> = { api_call: apiCall, execution, attempt, follow_up: followUp }
  return Object.entries(byLayer).map(([layer, value]) => ({ labels: { layer }, value }))
}

/** There are at most three attempts, so each number is a bucket. */
function attemptSamples(attempts: { attempts: number; count: number }[]): Sample[] {
  const total = attempts.reduce((sum, { count }) => sum + count, 0)
  const upTo = (most: number) => attempts.reduce((sum, one) => sum + (one.attempts <= most ? one.count : 0), 0)
  const weighted = attempts.reduce((sum, one) => sum + one.attempts * one.count, 0)
  return histogram(
    [0, 1, 2, 3].map((most) => ({ le: most, count: upTo(most) })),
    weighted,
    total,
  )
}

const durationSamples = ({ buckets, sumMs, count }: Durations): Sample[] =>
  histogram(
    buckets.map(({ leMs, count: upTo }) => ({ le: leMs / 1000, count: upTo })),
    sumMs / 1000,
    count,
  )

const histogram = (buckets: { le: number; count: number }[], sum: number, count: number): Sample[] => [
  ...buckets.map(({ le, count: value }): Sample => ({ suffix: '_bucket', labels: { le: `${le}` }, value })),
  { suffix: '_bucket', labels: { le: '+Inf' }, value: count },
  { suffix: '_sum', value: sum },
  { suffix: '_count', value: count },
]

function familyText({ name, type, help, samples }: Family): string {
  const lines = samples.map(({ suffix = '', labels = {}, value }) => `${name}${suffix}${labelText(labels)} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.join('')}`
}

function labelText(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escaped(value)}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

/** Escapes a backslash, a quote and a line feed, as the format asks. */
const escaped = (value: string): string =>
  value.replace(/["\\\n]/g, (letter) => (letter === '\n' ? '\\n' : `\\${letter}`))
