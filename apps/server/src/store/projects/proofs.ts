import { brokenBy, type BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import type { ExecutionId, ProjectId } from '@beadloom/core/records/ids.ts'
import type { Proof, ProofHead, ProofStore } from '../../ports/store/proofs.ts'
import type { Writing } from '../database/writer.ts'

type Row = {
  id: ExecutionId
  project: ProjectId
  commit_id: string
  settings: string
  base_commit: string | null
  state: Proof['state']
  broken_by: string | null
  text: string
  fix: string
  checks: string
  tries: number
  started_at: number
  ended_at: number | null
}

type HeadRow = Omit<Row, 'checks'>

/** For one project: each commit that beads started from has one. */
const MOST_PROOFS = 20

export function proofStore({ db, clock, write, changed }: Writing): ProofStore {
  const put = db.prepare(
    `REPLACE INTO proof (id, project, commit_id, settings, base_commit, state, broken_by, tries, started_at)
     VALUES (@id, @project, @commit, @settings, @baseCommit, 'proving', @by, @tries, @at)`,
  )
  const dropOld = db.prepare<[string, string, number]>(
    `DELETE FROM proof WHERE project = ? AND id NOT IN
       (SELECT id FROM proof WHERE project = ? ORDER BY started_at DESC, rowid DESC LIMIT ?)`,
  )
  const select = db.prepare<[string], Row>('SELECT * FROM proof WHERE id = ?')
  const end = db.prepare(
    `UPDATE proof SET state = @state, broken_by = @by, text = @text, fix = @fix, checks = @checks, tries = @tries,
     ended_at = @at WHERE id = @id`,
  )
  const before = db.prepare<[string], Pick<Row, 'broken_by' | 'tries'>>(
    `SELECT broken_by, tries FROM proof WHERE project = ? AND ended_at IS NOT NULL
     ORDER BY started_at DESC, rowid DESC LIMIT 1`,
  )
  const drop = db.prepare<[string]>('DELETE FROM proof WHERE id = ?')
  const selectOf = db.prepare<[string, string, string], Row>(
    'SELECT * FROM proof WHERE project = ? AND commit_id = ? AND settings = ? AND ended_at IS NOT NULL',
  )
  const selectAll = db.prepare<[string], HeadRow>(
    `SELECT id, project, commit_id, settings, base_commit, state, broken_by, text, fix, tries, started_at, ended_at
     FROM proof WHERE project = ? ORDER BY started_at DESC, rowid DESC`,
  )
  const selectChecks = db.prepare<[string], Pick<Row, 'checks'>>('SELECT checks FROM proof WHERE id = ?')
  const selectLast = db.prepare<[string], Row>(
    'SELECT * FROM proof WHERE project = ? AND ended_at IS NOT NULL ORDER BY started_at DESC, rowid DESC LIMIT 1',
  )
  const unended = db.prepare<[], Row>('SELECT * FROM proof WHERE ended_at IS NULL')
  const tell = ({ project }: Pick<Row, 'project'>) => changed('project', project, project)

  return {
    beginProof: (proof) =>
      write(() => {
        const last = before.get(proof.project)
        put.run({ ...proof, by: last?.broken_by ?? null, tries: last?.tries ?? 0, at: clock.now() })
        dropOld.run(proof.project, proof.project, MOST_PROOFS)
        tell(proof)
      }),

    endProof: (id, ended, checks) =>
      write(() => {
        const row = select.get(id)
        if (!row) return
        const by = ended.is === 'broken' ? ended.by : null
        const { text, fix } = 'text' in ended ? ended : { text: '', fix: '' }
        const tries = row.broken_by === by ? row.tries + 1 : 1
        end.run({ id, state: ended.is, by, text, fix, checks: JSON.stringify(checks), tries, at: clock.now() })
        tell(row)
      }),

    dropProof: (id) =>
      write(() => {
        const row = select.get(id)
        drop.run(id)
        if (row) tell(row)
      }),

    proof: ({ project, commit, settings }) => toProof(selectOf.get(project, commit, settings)),
    lastProof: (project) => toProof(selectLast.get(project)),
    proofs: (project) => selectAll.all(project).map(toHead),
    proofChecks: (id) => checksIn(selectChecks.get(id)),
    unendedProofs: () => unended.all().flatMap((row) => toProof(row) ?? []),
  }
}

const toProof = (row: Row | undefined): Proof | null =>
  row === undefined ? null : { ...toHead(row), checks: checksIn(row) }

const checksIn = (row: Pick<Row, 'checks'> | undefined): BaseCheck[] =>
  row === undefined ? [] : (JSON.parse(row.checks) as BaseCheck[])

const toHead = (row: HeadRow): ProofHead => ({
  id: row.id,
  project: row.project,
  commit: row.commit_id,
  settings: row.settings,
  baseCommit: row.base_commit,
  state: row.state,
  by: brokenBy.find((one) => one === row.broken_by) ?? null,
  text: row.text,
  fix: row.fix,
  tries: row.tries,
  startedAt: row.started_at,
  endedAt: row.ended_at,
})
