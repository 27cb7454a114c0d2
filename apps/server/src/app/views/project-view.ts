import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { ProjectView, TrackerView } from '@beadloom/core/api/projects/project-api.ts'
import { nobody, spentBy } from '@beadloom/core/budget/scopes.ts'
import { brakeOf } from '@beadloom/core/dispatch/brake.ts'
import { leftWords, UNTESTED_FIX, untestedText } from '@beadloom/core/environment/commands/untested.ts'
import { openedText } from '@beadloom/core/gateway/opened-words.ts'
import { openFor, type OpenedTools } from '@beadloom/core/gateway/hosted-tools.ts'
import { defaultRetry } from '@beadloom/core/records/retry.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { Clock } from '../../process/clock.ts'
import type { Projects } from '../projects/projects.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import { pullRequestView } from './pull-request-view.ts'
import type { LiveIndex } from '../scheduling/live-index.ts'
import type { ScheduleMemory } from '../scheduling/schedule-memory.ts'

export type ProjectViewDeps = {
  store: Store
  index: LiveIndex
  schedule: ScheduleMemory
  projects: Projects
  /** Whether the commit that its beads start from is fit to work on. */
  base: (row: ProjectRow) => ProofView | null
  /** The note about a devcontainer that could not be read; null: it was read, or there is none. */
  leftOut: (project: ProjectId) => string | null
  clock: Clock
  /** Currency of model prices, ISO 4217. */
  currency: string
  /** From `config.json`. */
  hostedTools: OpenedTools
  /** The note on this much memory for each container, if the engine (null: the default) has less; else null. */
  memoryNote: (engine: string | null, asked: number) => string | null
}

/** A project with its effective settings, its problems, and its number of beads in each status. */
export function projectView(deps: ProjectViewDeps, row: ProjectRow): ProjectView {
  const { store, projects, schedule, clock, index } = deps
  const settings = settingsOf(row)
  const pullRequest = store.newestPullRequest(row.id)
  const model = projects.model(row.id)
  const stops = projects.obstacle(row)
  const obstacle = stops?.code === 'base_proving' ? null : stops // it begins soon
  const base = baseOf(deps, row)
  const autopilot = row.autopilot ?? settings?.autopilot ?? false
  const brake = autopilot ? brakeOf(index.endings(row.id), row.autopilotSince ?? 0) : null
  const memoryNote = settings && deps.memoryNote(settings.engine, settings.limits.memoryBytes)
  const hostedNote = openedText(openFor(deps.hostedTools, row.id))
  const beadCounts = schedule.counts(row.id, clock.now())
  return {
    id: row.id,
    name: row.name || row.id,
    source: withoutCredentials(row.source),
    baseBranch: settings?.baseBranch ?? null,
    workBranch: settings?.workBranch ?? '',
    autopilot,
    paused: row.paused,
    ...(brake && { brake }),
    problem: obstacle?.text ?? null,
    problemKind: row.problem?.kind ?? (obstacle ? (obstacle.code === 'base_broken' ? 'base' : 'other') : null),
    ...(base && { base }),
    warnings: [
      ...row.warnings,
      ...(settings ? [...checksWarning(settings), ...settings.absent] : []),
      ...(base?.state === 'red' ? [base.text] : []),
      ...(settings?.devcontainer ? [deps.leftOut(row.id) ?? []].flat() : []),
    ],
    ...(memoryNote === null ? {} : { memoryNote }),
    ...(hostedNote === null ? {} : { hostedNote }),
    agent: settings?.agent ?? '',
    model: model?.name ?? null,
    modelNote: model?.note ?? null,
    test: settings?.test ?? null,
    setup: settings?.setup ?? null,
    retry: settings?.retry ?? defaultRetry,
    maxAttempts: settings?.maxAttempts ?? 1,
    ...(settings && {
      freshStarts: { retryOnFailure: settings.freshStarts.retryOnFailure, maxRetries: settings.freshStarts.maxRetries },
    }),
    beadCounts,
    syncedAt: row.syncedAt,
    tracker: trackerView(deps, row.id),
    pullRequest: pullRequest && pullRequestView(pullRequest),
    dismissals: store.dismissals(row.id),
    tokens: {
      today: store.tokensOfDay(row.id, clock.now()),
      perDay: perDayOf(deps, row, settings),
      asks: settings?.onLimit === 'ask',
      currency: deps.currency,
    },
  }
}

/** Without the checks' results, which only the base's own view needs. */
function baseOf({ base }: ProjectViewDeps, row: ProjectRow): ProjectView['base'] | null {
  const view = base(row)
  if (view === null) return null
  const { checks: _, ...rest } = view
  return rest
}

/** Warnings about how far this project's results can be trusted, known before the first result. */
function checksWarning({ verify, unverified, untested, left }: ProjectSettings): string[] {
  if (unverified)
    return ['Nothing checks the work of agents here: "verify" in beadloom.json names no command. Every result says so.']
  if (verify.length > 0) return left === undefined ? [] : [leftWords(left)]
  if (untested !== null) return [`${untestedText(untested)} ${UNTESTED_FIX}`]
  return [
    'There are no tests on the base branch yet: the agent of the first bead is told to make a test suite, and its work counts only if that passes. "test" in beadloom.json names a command of your own.',
  ]
}

function trackerView({ store, projects }: ProjectViewDeps, project: ProjectId): TrackerView | null {
  const info = projects.tracker(project)
  if (info === null) return null
  const { waiting, problem } = store.trackerState(project)
  return { kind: info.kind, text: info.text, writable: info.writable, waiting, problem }
}

/** Including today's grants. */
function perDayOf({ store, clock }: ProjectViewDeps, { id }: ProjectRow, settings: ProjectSettings | null) {
  const perDay = settings?.limits.maxTokensPerDay ?? null
  const today = spentBy('day', { ...nobody, project: id }, clock.now())
  return perDay === null ? null : perDay + store.granted(today).tokens
}

/** Removes the password that a URL may contain. */
function withoutCredentials(source: string): string {
  return source.replace(/^([a-z+]+:\/\/)[^/@]*@/i, '$1')
}
