import { Check } from 'lucide-react'
import type { Ref } from 'react'
import { Counts, letterWord } from '../lines/diff-row-view.tsx'
import type { FileShape } from '../lines/diff-rows.ts'
import css from './file-list.module.css'
import { counted } from '@beadloom/core/text/count-text.ts'
import { typedKey } from '../../../ui/keys/typed-key.ts'

export type FilesProps = {
  shapes: readonly FileShape[]
  current: number
  isViewed: (file: number) => boolean
  onChoose: (file: number) => void
}

/** Indices of the files whose paths contain all words of the filter. */
export function filesWith(shapes: readonly FileShape[], filter: string): number[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  return shapes.flatMap(({ file }, at) => (words.every((word) => file.path.toLowerCase().includes(word)) ? [at] : []))
}

type FilterProps = {
  filter: string
  onFilter: (filter: string) => void
  onEnter: () => void
  ref: Ref<HTMLInputElement>
}

export function FileFilter({ filter, onFilter, onEnter, ref }: FilterProps) {
  return (
    <input
      ref={ref}
      className={css['filter']}
      type="search"
      placeholder="Filter files"
      aria-label="Filter changed files"
      value={filter}
      onChange={(event) => onFilter(event.target.value)}
      onKeyDown={(event) => {
        const key = typedKey(event)
        if (key === 'Enter') onEnter()
        if (key === 'Escape') event.currentTarget.blur()
      }}
    />
  )
}

/** Git's letter, or a mark for a viewed file. */
export function FileMark({ shape, viewed }: { shape: FileShape; viewed: boolean }) {
  return (
    <span className={css['mark']}>
      {viewed ? (
        <Check size={14} strokeWidth={2} role="img" aria-label="viewed" />
      ) : (
        <span title={letterWord(shape.file.status)}>{shape.file.status}</span>
      )}
    </span>
  )
}

export function FileNumbers({ shape }: { shape: FileShape }) {
  return (
    <>
      <Issues count={shape.notes.length} />
      <Counts file={shape.file} />
    </>
  )
}

export function Issues({ count }: { count: number }) {
  if (count === 0) return null
  return (
    <span className={css['issues']} title={`${counted(count, 'open issue')} of the review`}>
      {count}
      <span className="visually-hidden"> open issues</span>
    </span>
  )
}
