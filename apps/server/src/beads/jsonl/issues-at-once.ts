import type { Issues } from '../../ports/tracker.ts'
import { editIssues } from './edit-issues.ts'
import { scanLines } from './edit-scan.ts'
import { mergeIssues } from './merge-issues.ts'
import { beadsIn, readBlock } from '../reading/read-block.ts'

/** Works on the thread that asks. */
export const issuesAtOnce: Issues = {
  readBlocks: async (project, texts) => ({ blocks: texts.map((text) => readBlock(project, text)) }),
  beadsIn: async (project, picks) => ({ beads: picks.flatMap((pick) => beadsIn(project, pick)) }),
  edit: async (text, changes, now, comments) => editIssues(text, changes, now, comments),
  scan: async (bytes, wanted) => scanLines(bytes, wanted),
  merge: async (former, ours, theirs) => mergeIssues(former, ours, theirs),
}
