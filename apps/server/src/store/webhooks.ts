import { waitText } from '@beadloom/core/budget/wait.ts'
import { shortEnd } from '@beadloom/core/execution/short-end.ts'
import { questionIn } from '@beadloom/core/records/wait.ts'
import { capital } from '@beadloom/core/text/sentence.ts'
import { waitOf, type WaitColumns } from './executions/execution-rows.ts'
import type { WebhookEvent } from '@beadloom/core/api/settings/webhook-api.ts'
import type { QueuedNotice, WebhookNotice, WebhookState, WebhookStore } from '../ports/store/webhooks.ts'
import type { Writing } from './database/writer.ts'

/** For one webhook. A longer queue means a receiver that was away for long: the dashboard has everything. */
const MOST_QUEUED = 500
const AT_ONCE = 100
const LONGEST_TITLE = 200
const LONGEST_TEXT = 500

type EventRow = {
  id: number
  event: WebhookEvent
  execution: string
  at: number
  project: string | null
  bead: string
  title: string | null
  text: string
} & WaitColumns
type QueueRow = Omit<QueuedNotice, 'notice'> & { notice: string }

export function webhookStore(writing: Writing): WebhookStore {
  const { db, clock } = writing
  const gaveUp = db.prepare<[number, number, string]>(
    'UPDATE webhook SET given_up = given_up + ?, given_up_at = ? WHERE name = ?',
  )
  const states = db.prepare<[], WebhookState>(
    `SELECT name, tries, due_at AS dueAt,
       CASE WHEN problem <> '' THEN problem ELSE coalesce(
         (SELECT q.problem FROM webhook_queue q WHERE q.webhook = name AND q.due_at > 0 ORDER BY q.due_at LIMIT 1), '')
       END AS problem, given_up AS givenUp, given_up_at AS givenUpAt,
       last_at AS lastAt, arrived_at AS arrivedAt,
       (SELECT count(*) FROM webhook_queue WHERE webhook = name) AS waiting
     FROM webhook ORDER BY name`,
  )
  const giveUp = (name: string, dropped: number) => {
    if (dropped > 0) gaveUp.run(dropped, clock.now(), name)
  }
  return { ...queueing(writing, giveUp), ...sending(writing, giveUp), webhooks: () => states.all() }
}

type GiveUp = (name: string, dropped: number) => void

/** Queues what has happened for the webhooks that want it. */
function queueing({ db, write }: Writing, giveUp: GiveUp): Pick<WebhookStore, 'keepWebhooks' | 'queueForWebhook'> {
  const names = db.prepare<[], { name: string }>('SELECT name FROM webhook')
  const add = db.prepare<[string]>(
    'INSERT OR IGNORE INTO webhook (name, seen) SELECT ?, coalesce(max(id), 0) FROM webhook_event',
  )
  const dropQueue = db.prepare<[string]>('DELETE FROM webhook_queue WHERE webhook = ?')
  const drop = db.prepare<[string]>('DELETE FROM webhook WHERE name = ?')
  const happened = db.prepare<[string, number], EventRow>(
    `SELECT e.id, e.event, e.execution, e.at, x.project, x.bead, b.title,
       -- With a plan, the text of the end names the subtask that asks.
       CASE WHEN x.state = 'BLOCKED' AND x.plan_version IS NULL THEN coalesce(x.blocked_reason, x.detail)
         ELSE x.detail END AS text,
       x.retry_at, x.pending_push, x.phase_wait, x.pause, x.budget_wait, x.ended_at
     FROM webhook_event e
     LEFT JOIN execution x ON x.id = e.execution
     LEFT JOIN bead b ON b.project = x.project AND b.id = x.bead
     WHERE e.id > (SELECT seen FROM webhook WHERE name = ?) ORDER BY e.id LIMIT ?`,
  )
  const isNews = db.prepare<[string], { yes: number }>(
    'SELECT EXISTS (SELECT 1 FROM webhook_event WHERE id > (SELECT seen FROM webhook WHERE name = ?)) AS yes',
  )
  const seen = db.prepare<[number, string]>('UPDATE webhook SET seen = ? WHERE name = ?')
  const put = db.prepare<[string, number, number, string]>(
    'INSERT OR IGNORE INTO webhook_queue (webhook, event, at, notice) VALUES (?, ?, ?, ?)',
  )
  const dropOldest = db.prepare<[{ name: string; most: number }]>(
    `DELETE FROM webhook_queue WHERE webhook = @name AND event NOT IN
       (SELECT event FROM webhook_queue WHERE webhook = @name ORDER BY event DESC LIMIT @most)`,
  )
  return {
    keepWebhooks: (wanted) =>
      write(() => {
        for (const { name } of names.all())
          if (!wanted.includes(name)) {
            dropQueue.run(name)
            drop.run(name)
          }
        for (const name of wanted) add.run(name)
      }),

    queueForWebhook: (name, wanted) => {
      if (isNews.get(name)?.yes !== 1) return // most looks find nothing, and need no transaction
      write(() => {
        for (const row of happened.all(name, AT_ONCE)) {
          const notice = noticeOf(row)
          if (notice !== null && wanted(notice)) put.run(name, row.id, row.at, JSON.stringify(notice))
          seen.run(row.id, name)
        }
        giveUp(name, dropOldest.run({ name, most: MOST_QUEUED }).changes)
      })
    },
  }
}

type Sending = 'nextForWebhook' | 'webhookHas' | 'webhookFailed' | 'webhookChanged'

/** The next notice of a webhook, and the outcome of sending it. */
function sending({ db, clock, write }: Writing, giveUp: GiveUp): Pick<WebhookStore, Sending> {
  const next = db.prepare<[{ name: string; now: number; longest: number }], QueueRow>(
    `SELECT event, at, notice, refused, due_at AS dueAt FROM webhook_queue WHERE webhook = @name
     ORDER BY due_at > @now AND due_at <= @now + @longest, due_at > 0, event LIMIT 1`,
  )
  const refuse = db.prepare<[{ name: string; event: number; problem: string; dueAt: number }]>(
    `UPDATE webhook_queue SET refused = refused + 1, due_at = @dueAt, problem = @problem
     WHERE webhook = @name AND event = @event`,
  )
  const setAside = db.prepare<[number, string]>('UPDATE webhook SET tries = 0, due_at = 0, last_at = ? WHERE name = ?')
  const has = db.prepare<[string, number]>('DELETE FROM webhook_queue WHERE webhook = ? AND event = ?')
  const well = db.prepare<[{ name: string; now: number }]>(
    `UPDATE webhook SET tries = 0, due_at = 0, problem = '', last_at = @now, arrived_at = @now WHERE name = @name`,
  )
  const badly = db.prepare<[string, number, number, string]>(
    'UPDATE webhook SET tries = tries + 1, problem = ?, due_at = ?, last_at = ? WHERE name = ?',
  )
  const anew = db.prepare<[string]>(
    `UPDATE webhook SET tries = 0, due_at = 0, problem = '', last_at = NULL, arrived_at = NULL WHERE name = ?`,
  )
  const inOrder = db.prepare<[string]>(
    `UPDATE webhook_queue SET refused = 0, due_at = 0, problem = '' WHERE webhook = ?`,
  )
  const dropOld = db.prepare<[string, number]>('DELETE FROM webhook_queue WHERE webhook = ? AND at < ?')
  return {
    nextForWebhook: (name, longest = Number.POSITIVE_INFINITY) => {
      const row = next.get({ name, now: clock.now(), longest })
      return row === undefined ? null : ({ ...row, notice: JSON.parse(row.notice) } as QueuedNotice)
    },

    webhookHas: (name, event) =>
      write(() => {
        has.run(name, event)
        well.run({ name, now: clock.now() })
      }),

    webhookFailed: (name, { event, problem, refused, aside, dueAt, giveUpBefore }) =>
      write(() => {
        const now = clock.now()
        if (refused) refuse.run({ name, event, problem, dueAt: aside ? dueAt : 0 })
        if (aside) setAside.run(now, name)
        else badly.run(problem, dueAt, now, name)
        giveUp(name, dropOld.run(name, giveUpBefore).changes)
      }),

    webhookChanged: (name) =>
      write(() => {
        anew.run(name)
        inOrder.run(name)
      }),
  }
}

/** Null: its project has gone. */
function noticeOf(row: EventRow): WebhookNotice | null {
  const { event, execution, at, project, bead, title } = row
  if (project === null) return null
  return {
    event,
    at,
    project,
    bead,
    title: (title ?? '').slice(0, LONGEST_TITLE),
    text: shortEnd(row.text || waitSentence(row), LONGEST_TEXT),
    execution,
  }
}

/** The reason for which a running execution waits; empty if it has continued since. */
function waitSentence(row: EventRow): string {
  const wait = waitOf(row)
  if (row.event === 'budget' && wait?.kind === 'budget') return capital(waitText(wait))
  if (row.event !== 'needs_you') return ''
  if (wait?.kind === 'pause') return questionIn(wait) ?? ''
  return wait?.kind === 'phase' ? `Waits for you after phase ${wait.after}` : ''
}
