import type { DiffFileView } from '@beadloom/core/api/executions/diff-api.ts'
import css from './diff-bar.module.css'
import type { DiffRange, RangeName } from './diff-ranges.ts'
import { totals } from './files/diff-totals.tsx'
import { Button } from '../../ui/button.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { countText, counted } from '@beadloom/core/text/count-text.ts'
import { LineChange } from '../../ui/line-change.tsx'

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

/** The content of the diff, and how it is shown. */
export function DiffBar(props: Props) {
  const { files, viewed, branch, ranges, range } = props
  const { added, removed } = totals(files)
  return (
    <div className={css['bar']}>
      <p className={css['sum']}>
        {counted(files.length, 'file')} <LineChange added={added} removed={removed} />
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
          Ignore whitespace
        </Button>
      </div>
    </div>
  )
}

/** A note above the code that the branch has moved. It takes no room, so nothing shifts. */
export function BranchMoved({ files, busy, onUpdate }: { files: number; busy: boolean; onUpdate: () => void }) {
  return (
    <div role="status" className={css['moved']}>
      <span>Branch moved: {files === 0 ? 'no files' : counted(files, 'file')} changed</span>
      <Button look="primary" busy={busy} onClick={onUpdate}>
        Update
      </Button>
    </div>
  )
}

type RangeProps = Pick<Props, 'ranges' | 'range' | 'onRange'>

/** The choice of a comparison: the whole branch, one attempt's changes, or one commit. */
function RangeMenu({ ranges, range, onRange }: RangeProps) {
  if (ranges.length === 0) return null
  const groups = [
    { title: 'Attempts', of: ranges.filter(({ name }) => name.range !== undefined) },
    { title: 'Commits, newest first', of: ranges.filter(({ name }) => name.commit !== undefined) },
  ]
  return (
    <select
      className={css['range']}
      aria-label="Compare"
      value={range?.key ?? ''}
      onChange={({ target }) => onRange(ranges.find(({ key }) => key === target.value)?.name ?? null)}
    >
      <option value="">Whole branch</option>
      {groups
        .filter(({ of }) => of.length > 0)
        .map(({ title, of }) => (
          <optgroup key={title} label={title}>
            {of.map(({ key, label }) => (
              <option key={key} value={key}>
                {shown(label)}
              </option>
            ))}
          </optgroup>
        ))}
    </select>
  )
}
