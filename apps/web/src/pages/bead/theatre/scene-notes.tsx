import { failedStep } from '../attempts/attempt-compare.ts'
import type { Scene } from './scene.ts'
import css from './attempt-theatre.module.css'
import { shown } from '../../../ui/text/hostile-text.ts'

/** The background of this attempt, and its checks' results; folded, because people come for the panes. */
export function SceneNotes({ attempt, before }: Pick<Scene, 'attempt' | 'before'>) {
  const told = before && failedStep(before)
  const failed = failedStep(attempt)
  return (
    <div className={css['notes']}>
      {told && <Note title={`Told about attempt ${before.number}`} summary={told.summary} digest={told.digest} />}
      {failed && <Note title={`Failed: ${failed.name}`} summary={failed.summary} digest={failed.digest} />}
    </div>
  )
}

function Note({ title, summary, digest }: { title: string; summary: string; digest: string }) {
  return (
    <details>
      <summary>
        <strong>{shown(title)}</strong> {shown(summary)}
      </summary>
      <pre role="group" tabIndex={0} aria-label={shown(title)}>
        {shown(digest === '' ? summary : digest)}
      </pre>
    </details>
  )
}
