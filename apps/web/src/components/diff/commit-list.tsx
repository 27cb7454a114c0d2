import type { BranchView } from '@beadloom/core/api/executions/diff-api.ts'
import css from './commit-list.module.css'
import { shortCommit } from './diff-ranges.ts'
import { codeText } from './lines/code-text.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'

/** The commits compared in a diff without changes: the two ends, and those between them. */
export function CommitsChecked({ branch, name }: { branch: BranchView; name: string }) {
  const { from, to, commits, more } = branch
  if (from === null || to === null) return null
  return (
    <>
      <p>
        Compared {shown(name)} at <code>{shortCommit(to)}</code> with its start, <code>{shortCommit(from)}</code>:{' '}
        {commits.length === 0
          ? 'no commits in between.'
          : `${more ? 'more than ' : ''}${counted(commits.length, 'commit')}, but no change in total.`}
      </p>
      {commits.length > 0 && (
        <ul className={css['commits']}>
          {commits.slice(0, 20).map(({ commit, subject }) => (
            <li key={commit}>
              <code>{shortCommit(commit)}</code> {codeText(subject)}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

type ConflictProps = {
  conflict: NonNullable<BranchView['conflict']>
  /** Null: the file is not in the diff. */
  placeOf: (path: string) => number | null
  onFile: (at: number) => void
}

/** The files in which the work has conflicts. */
export function Conflict({ conflict, placeOf, onFile }: ConflictProps) {
  const { files } = conflict
  return (
    <details className={css['conflict']} open={files.length <= 3}>
      <summary>
        Conflicts with {shown(conflict.with)} in {counted(files.length, 'file')}
      </summary>
      <ul className={css['files']}>
        {files.map((path) => {
          const at = placeOf(path)
          return (
            <li key={path}>
              {at === null ? (
                <span className={css['path']}>{shown(path)}</span>
              ) : (
                <button type="button" className={css['path']} onClick={() => onFile(at)}>
                  {shown(path)}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </details>
  )
}
