import type { DiffFileView } from '@beadloom/core/api/api.ts'
import css from './diff-bar.module.css'
import type { DiffRange, RangeName } from './diff-ranges.ts'
import { filesText } from './files/files-text.ts'
import { RangeMenu } from './range-menu.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/hostile-text.ts'
import { countText } from '../../ui/time-text.ts'

type Props = {
  files: readonly DiffFileView[]
  viewed: number
  branch: string
  ranges: readonly DiffRange[]
  range: DiffRange | null
  onRange: (name: RangeName | null) => void
  split: boolean
  onSplit: () => void
  ignoreSpace: boolean
  onIgnoreSpace: () => void
  list: boolean
  onList: () => void
}

export const totals = (files: readonly DiffFileView[]): { added: number; removed: number } => ({
  added: files.reduce((sum, one) => sum + (one.added ?? 0), 0),
  removed: files.reduce((sum, one) => sum + (one.removed ?? 0), 0),
})

/** What is shown, and how. */
export function DiffBar(props: Props) {
  const { files, viewed, branch, ranges, range } = props
  const { added, removed } = totals(files)
  return (
    <div className={css['bar']}>
      <p className={css['sum']}>
        {filesText(files.length)} <span className={css['plus']}>+{countText(added)}</span>{' '}
        <span className={css['minus']}>−{countText(removed)}</span>
        <span className={css['muted']}>
          {' '}
          on {shown(branch)}
          {viewed > 0 && ` · ${countText(viewed)} viewed`}
        </span>
      </p>
      <RangeMenu ranges={ranges} range={range} onRange={props.onRange} />
      <div className={css['choices']}>
        <Button look="quiet" aria-pressed={props.list} onClick={props.onList}>
          Files
        </Button>
        <Button look="quiet" aria-pressed={props.split} onClick={props.onSplit}>
          Split
        </Button>
        <Button look="quiet" aria-pressed={props.ignoreSpace} onClick={props.onIgnoreSpace}>
          Ignore white space
        </Button>
      </div>
    </div>
  )
}

/** That the branch has gone on, above what is read: it takes no room, so nothing moves because of it. */
export function BranchMoved({ files, busy, onUpdate }: { files: number; busy: boolean; onUpdate: () => void }) {
  return (
    <div role="status" className={css['moved']}>
      <span>Branch moved: {files === 0 ? 'no file' : filesText(files)} changed</span>
      <Button look="primary" busy={busy} onClick={onUpdate}>
        Update
      </Button>
    </div>
  )
}
