import css from './diff-bar.module.css'
import type { DiffRange, RangeName } from './diff-ranges.ts'
import { shown } from '../../ui/hostile-text.ts'

type Props = { ranges: readonly DiffRange[]; range: DiffRange | null; onRange: (name: RangeName | null) => void }

/** What is compared: all of the branch, what an attempt changed, or one commit. */
export function RangeMenu({ ranges, range, onRange }: Props) {
  if (ranges.length === 0) return null
  const groups = [
    { title: 'Attempts', of: ranges.filter(({ name }) => name.range !== undefined) },
    { title: 'Commits, the newest first', of: ranges.filter(({ name }) => name.commit !== undefined) },
  ]
  return (
    <select
      className={css['range']}
      aria-label="What is compared"
      value={range?.key ?? ''}
      onChange={({ target }) => onRange(ranges.find(({ key }) => key === target.value)?.name ?? null)}
    >
      <option value="">The whole branch</option>
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
