import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import type { PhaseProgress } from '@beadloom/core/api/plans/phase-api.ts'
import type { Wait } from '@beadloom/core/records/wait.ts'
import type { ServerStatus } from '@beadloom/core/api/server/server-api.ts'
import { stageText, waitText } from '../executions/execution-notes.ts'
import { glyph } from '../terminal/output.ts'
import { toneOf, type Paint } from '../terminal/paint.ts'
import { cutText, oneLiner } from '../terminal/terminal-text.ts'

/** One change, for programs: `beadloom watch --json` prints one per line. Times are milliseconds UTC. */
export type BoardNews =
  | {
      type: 'execution'
      at: number
      execution: string
      project: string
      bead: string
      title: string
      /** `work` or `review`. */
      kind: string
      state: string
      reason: string | null
      attempt: number
      maxAttempts: number
      /** Its progress in its plan; null if it has none. */
      progress: PhaseProgress | null
      activity: string | null
      waits: Wait | null
      /** The same as a sentence. */
      waitText: string | null
      detail: string
      branch: string
      commit: string | null
      queuedAt: number
      startedAt: number | null
      endedAt: number | null
    }
  | { type: 'server'; at: number; slots: ServerStatus['slots']; queued: number; docker: boolean; model: boolean }

/** Finds changes since the last call: each change once, and only if a reader would notice it. */
export class NewsTeller {
  readonly #told = new Map<string, string>()

  /** @param first the first call: only live executions are news, ended ones are history */
  news(executions: readonly ExecutionView[], status: ServerStatus | null, now: number, first: boolean): BoardNews[] {
    const server = status === null ? [] : this.#serverNews(status, now)
    return [
      ...server,
      ...executions
        .toSorted((a, b) => a.queuedAt - b.queuedAt)
        .flatMap((one) => this.#executionNews(one, now, first && one.endedAt !== null)),
    ]
  }

  #executionNews(one: ExecutionView, now: number, silently: boolean): BoardNews[] {
    // A clock that advances is not news.
    const key = JSON.stringify([one.state, one.attempt, one.progress, one.waits, one.activity])
    if (!this.#isNew(one.id, key) || silently) return []
    const {
      id,
      project,
      bead,
      beadTitle,
      kind,
      state,
      reason,
      attempt,
      maxAttempts,
      activity,
      detail,
      branch,
      commit,
    } = one
    const { queuedAt, startedAt, endedAt } = one
    return [
      {
        type: 'execution',
        at: now,
        execution: id,
        project,
        bead,
        title: beadTitle,
        kind,
        state,
        reason,
        attempt,
        maxAttempts,
        progress: one.progress ?? null,
        activity,
        waits: one.waits,
        waitText: waitText(one, now),
        detail,
        branch,
        commit,
        queuedAt,
        startedAt,
        endedAt,
      },
    ]
  }

  #serverNews({ slots, queue, docker, model }: ServerStatus, now: number): BoardNews[] {
    const facts = { slots, queued: queue.length, docker: docker.ok, model: model.ok }
    return this.#isNew('server', JSON.stringify(facts)) ? [{ type: 'server', at: now, ...facts }] : []
  }

  #isNew(name: string, key: string): boolean {
    if (this.#told.get(name) === key) return false
    this.#told.set(name, key)
    return true
  }
}

/** The same on one line, for people and `grep`. */
export function newsLine(news: BoardNews, columns: number, paint: Paint): string {
  const time = new Date(news.at).toLocaleTimeString('en-GB', { hour12: false })
  if (news.type === 'server') {
    const { slots, queued, docker, model } = news
    const troubles = [...(docker ? [] : ['Docker is down']), ...(model ? [] : ['no model'])]
    const facts = [`${slots.used} of ${slots.total} slots in use`, `${queued} queued`, ...troubles]
    return cutText(`${time}  ${facts.join(', ')}`, columns)
  }
  const { state, kind, project, bead, attempt, maxAttempts, progress, activity, detail, title } = news
  const words = {
    QUEUED: title,
    RUNNING: [
      ...(progress || kind === 'review' || attempt > 0 ? [stageText({ kind, attempt, maxAttempts, progress })] : []),
      news.waitText ?? activity ?? title,
    ].join(', '),
  }
  const text = oneLiner(words[state as keyof typeof words] ?? (detail || title))
  const head = `${glyph[state] ?? ' '} ${oneLiner(bead)}  ${oneLiner(project)}  ${state}`
  return cutText(`${time}  ${head}  ${text}`, columns).replace(head, paint[toneOf[state] ?? 'plain'](head))
}
