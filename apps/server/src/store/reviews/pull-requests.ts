import type { ExecutionId, ProjectId, PullRequestId } from '@beadloom/core/records/ids.ts'
import { movePullRequest, type PullRequest } from '@beadloom/core/review/pull-request.ts'
import type { PullRequestStore } from '../../ports/store/pull-requests.ts'
import { StoreError } from '../../ports/store/errors.ts'
import { isKnown, oddText } from '../odd-rows.ts'
import type { Writing } from '../database/writer.ts'

type Row = {
  id: PullRequestId
  project: ProjectId
  state: PullRequest['state']
  branch: string
  base: string
  from_commit: string
  commit_id: string
  title: string
  own_title: number
  review: ExecutionId
  reviews: number
  pushed: string | null
  forge: string | null
  url: string | null
  number: number | null
  away_since: number | null
  away_tries: number | null
  away_next_at: number | null
  away_why: string | null
  cancel_requested_at: number | null
  detail: string
  asked_at: number
  ended_at: number | null
}

export function pullRequestStore({ db, clock, write, changed }: Writing): PullRequestStore {
  const select = db.prepare<[string], Row>('SELECT * FROM pull_request WHERE id = ?')
  const ofProject = db.prepare<[string, number, number], Row>(
    'SELECT * FROM pull_request WHERE project = ? AND asked_at < ? ORDER BY asked_at DESC LIMIT ?',
  )
  const newest = db.prepare<[string], { at: number | null }>(
    'SELECT max(asked_at) AS at FROM pull_request WHERE project = ?',
  )
  const live = db.prepare<[], Row>('SELECT * FROM pull_request WHERE ended_at IS NULL ORDER BY asked_at')
  const liveOf = db.prepare<[string], { id: string }>(
    'SELECT id FROM pull_request WHERE project = ? AND ended_at IS NULL',
  )
  const insert = db.prepare<[Row]>(
    `INSERT INTO pull_request (id, project, state, branch, base, from_commit, commit_id, title, own_title, review,
       reviews, pushed, forge, url, number, away_since, away_tries, away_next_at, away_why, cancel_requested_at, detail,
       asked_at, ended_at)
     VALUES (@id, @project, @state, @branch, @base, @from_commit, @commit_id, @title, @own_title, @review,
       @reviews, @pushed, @forge, @url, @number, @away_since, @away_tries, @away_next_at, @away_why,
       @cancel_requested_at, @detail, @asked_at, @ended_at)`,
  )
  const update = db.prepare<[Row & { was: string }]>(
    `UPDATE pull_request SET state = @state, from_commit = @from_commit, commit_id = @commit_id, title = @title,
       review = @review, reviews = @reviews, pushed = @pushed, forge = @forge, url = @url, number = @number,
       away_since = @away_since, away_tries = @away_tries, away_next_at = @away_next_at, away_why = @away_why,
       cancel_requested_at = @cancel_requested_at, detail = @detail, ended_at = @ended_at
     WHERE id = @id AND state = @was AND ended_at IS NULL`,
  )

  return {
    askPullRequest: (asked) =>
      write(() => {
        const there = liveOf.get(asked.project)
        if (there) return { refused: `${asked.project} already has a pull request in progress (${there.id})` }
        // Lists are paged by this time, so no two of a project share it.
        const at = Math.max(clock.now(), (newest.get(asked.project)?.at ?? 0) + 1)
        const row: PullRequest = {
          ...asked,
          state: 'reviewing',
          reviews: 1,
          pushed: null,
          forge: null,
          url: null,
          number: null,
          away: null,
          cancelRequestedAt: null,
          askedAt: at,
          endedAt: null,
        }
        insert.run(toRow(row))
        changed('project', asked.project, asked.project)
        return row
      }),

    pullRequest: (id) => {
      const row = select.get(id)
      return row ? toPullRequest(row) : null
    },

    pullRequests: (project, limit, before = Number.MAX_SAFE_INTEGER) =>
      ofProject.all(project, before, limit).map(toPullRequest),

    newestPullRequest: (project) => {
      const [row] = ofProject.all(project, Number.MAX_SAFE_INTEGER, 1)
      return row ? toPullRequest(row) : null
    },

    livePullRequests: () => live.all().map(toPullRequest),

    movePullRequest: (id, move) =>
      write(() => {
        const row = select.get(id)
        if (!row) throw new StoreError('missing', `there is no pull request ${id}`)
        const next = movePullRequest(toPullRequest(row), move, clock.now())
        if ('refused' in next) return next
        if (update.run({ ...toRow(next), was: row.state }).changes === 0)
          return { refused: `the pull request ${id} has ended` }
        changed('project', row.project, row.project)
        return next
      }),
  }
}

const toRow = (one: PullRequest): Row => ({
  id: one.id,
  project: one.project,
  state: one.state,
  branch: one.branch,
  base: one.base,
  from_commit: one.from,
  commit_id: one.commit,
  title: one.title,
  own_title: one.ownTitle ? 1 : 0,
  review: one.review,
  reviews: one.reviews,
  pushed: one.pushed,
  forge: one.forge,
  url: one.url,
  number: one.number,
  away_since: one.away?.since ?? null,
  away_tries: one.away?.tries ?? null,
  away_next_at: one.away?.nextAt ?? null,
  away_why: one.away?.why ?? null,
  cancel_requested_at: one.cancelRequestedAt,
  detail: one.detail,
  asked_at: one.askedAt,
  ended_at: one.endedAt,
})

const toPullRequest = (row: Row): PullRequest => ({
  id: row.id,
  project: row.project,
  ...(isKnown('pull_request.state', row.state)
    ? { state: row.state, detail: row.detail, endedAt: row.ended_at }
    : { state: 'failed', detail: oddText('pull_request.state', row.state), endedAt: row.ended_at ?? row.asked_at }),
  branch: row.branch,
  base: row.base,
  from: row.from_commit,
  commit: row.commit_id,
  title: row.title,
  ownTitle: row.own_title === 1,
  review: row.review,
  reviews: row.reviews,
  pushed: row.pushed,
  forge: row.forge,
  url: row.url,
  number: row.number,
  away:
    row.away_since === null
      ? null
      : {
          since: row.away_since,
          tries: row.away_tries ?? 1,
          nextAt: row.away_next_at ?? row.away_since,
          why: row.away_why ?? '',
        },
  cancelRequestedAt: row.cancel_requested_at,
  askedAt: row.asked_at,
})
