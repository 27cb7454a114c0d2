import type { Issues } from '../../ports/tracker.ts'
import { editIssues } from './edit-issues.ts'
import { mergeIssues } from './merge-issues.ts'
import { parseIssues } from './parse-issues.ts'

/** On whatever thread asks. */
export const issuesAtOnce: Issues = {
  parse: async (project, text) => parseIssues(project, text),
  edit: async (text, changes, now) => editIssues(text, changes, now),
  merge: async (former, ours, theirs) => mergeIssues(former, ours, theirs),
}
