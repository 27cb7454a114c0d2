import { readFileSync } from 'node:fs'
import { sourceFile } from '../../process/own-files.ts'
import type { Migration } from './migrate.ts'

/** In order. A file that was released is never edited; a change of the schema is a new file at the end. */
const files = [
  '0001-start.sql',
  '0002-ends.sql',
  '0003-tracker.sql',
  '0004-reviews.sql',
  '0005-reviewer-model.sql',
  '0006-pull-requests.sql',
  '0007-claims.sql',
  '0008-project-overrides.sql',
  '0009-review-figures.sql',
  '0010-diff-sizes.sql',
  '0011-session-model.sql',
  '0012-token-use.sql',
  '0013-run-choice.sql',
  '0014-kinds.sql',
  '0015-exactly-once.sql',
  '0016-took.sql',
  '0017-containers.sql',
  '0018-tests.sql',
  '0019-verdicts.sql',
  '0020-settings.sql',
  '0021-story.sql',
  '0023-answered-sessions.sql',
  '0024-session-cause.sql',
  '0025-own-label.sql',
  '0026-warm-containers.sql',
  '0027-plans.sql',
  '0028-planning.sql',
  '0029-phases.sql',
  '0030-remembered.sql',
  '0031-phase-waits.sql',
  '0032-skipped-subtasks.sql',
  '0033-context.sql',
  '0034-token-use.sql',
  '0035-proofs.sql',
  '0036-autopilot-since.sql',
  '0037-by-autopilot.sql',
  '0038-budgets.sql',
  '0039-session-agent.sql',
  '0040-known-use.sql',
  '0041-services.sql',
  '0042-egress-and-images.sql',
  '0043-webhooks.sql',
  '0044-bead-edits.sql',
  '0045-container-engine.sql',
  '0046-filed-for.sql',
  '0047-actions.sql',
]

/** A file's number is its version. */
export const migrations: readonly Migration[] = files.map((name) => ({
  version: Number.parseInt(name, 10),
  sql: readFileSync(sourceFile('store', 'database', 'migrations', name), 'utf8'),
}))
