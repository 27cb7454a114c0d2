import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { PullRequest } from '@beadloom/core/review/pull-request.ts'
import type { EvidenceFacts } from '@beadloom/core/views/evidence.ts'
import { pullRequestText, pullRequestTitle } from '@beadloom/core/views/pull-request-text.ts'
import type { Verification } from '@beadloom/core/records/verification.ts'
import type { Aside } from '../../ports/aside.ts'
import type { Hub } from '../../ports/hub.ts'
import { evidenceFacts } from '../views/evidence-facts.ts'
import type { Store } from '../../ports/store.ts'

type Parts = { store: Store; hub: Hub }
type BeadLine = { id: string; title: string; execution: string; evidence: EvidenceFacts; elsewhere: string[] }

/** The limit of executions searched for the beads of a change. */
const MOST_EXECUTIONS = 1000
/** The limit of commits, each of which takes one diff. */
const MOST_COMPARED = 50

/** The beads whose verified work lies between two commits, oldest first, each once. */
async function beadsIn({ store, hub }: Parts, project: ProjectId, from: string, to: string): Promise<BeadLine[]> {
  const commits = new Set((await hub.commits(project, from, to)).map(({ commit }) => commit))
  const found = new Map<string, BeadLine>()
  for (const one of store.executions({ project, state: 'COMPLETED', limit: MOST_EXECUTIONS })) {
    const { id, bead, kind, commit, flags } = one
    if (kind !== 'work' || commit === null || !commits.has(commit) || found.has(bead)) continue
    const evidence = evidenceFacts(store, one)
    const elsewhere = flags.flatMap((flag) => (flag.kind === 'runs_elsewhere' ? flag.text.split('; ') : []))
    found.set(bead, { id: bead, title: store.bead(project, bead)?.title ?? '', execution: id, evidence, elsewhere })
  }
  return [...found.values()].reverse()
}

/** The checks that vouch for a commit: its own, or those of one that differs only in beads. */
async function checksIn({ store, hub }: Parts, project: ProjectId, commit: string): Promise<Verification[]> {
  const own = store.checksOf(project, commit)
  if (own.length > 0) return own
  for (const other of store.verifiedCommits(project, MOST_COMPARED))
    if (await hub.isSameWork(project, other, commit)) {
      const checks = store.checksOf(project, other)
      if (checks.length > 0) return checks
    }
  return []
}

type Change = Pick<PullRequest, 'project' | 'branch' | 'from' | 'commit'>

export async function titleOf(parts: Parts, { project, branch, from, commit }: Change): Promise<string> {
  return pullRequestTitle({ title: null, branch, beads: await beadsIn(parts, project, from, commit) })
}

/** The text, in which secrets that beads, a review or checks repeat are masked. */
export async function textOf(
  parts: Parts & { aside: Pick<Aside, 'masked'> },
  row: PullRequest,
): Promise<{ title: string; body: string }> {
  const { project, branch, from, commit, review } = row
  const found = parts.store.review(review)
  const reviewed = found?.to ?? commit
  const beads = await beadsIn(parts, project, from, commit)
  const facts = {
    title: row.ownTitle ? row.title : null,
    branch,
    commit,
    reviewed,
    beads,
    elsewhere: [...new Set(beads.flatMap(({ elsewhere }) => elsewhere))],
    checks: await checksIn(parts, project, reviewed),
    review: { id: review, summary: found?.summary ?? '', issues: found?.issues ?? [] },
  }
  return pullRequestText(await parts.aside.masked(facts))
}
