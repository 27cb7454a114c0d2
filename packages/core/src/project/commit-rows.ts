import { identityText } from '../records/identity.ts'
import type { ProjectSettingRow } from './project-setting-row.ts'

/** Settings of the history of a project's work. */
export const commitRows: readonly ProjectSettingRow[] = [
  {
    key: 'commits',
    section: 'repository',
    label: 'Commits of a bead',
    kind: 'choice',
    choices: ['keep', 'squash'],
    of: ({ commits }) => commits,
  },
  {
    key: 'author',
    section: 'repository',
    label: 'Author of commits',
    kind: 'text',
    longest: 400,
    of: ({ author }) => author && identityText(author),
    fixed: true,
  },
  {
    key: 'committer',
    section: 'repository',
    label: 'Committer',
    kind: 'text',
    longest: 400,
    of: ({ committer }) => committer && identityText(committer),
    fixed: true,
  },
]
