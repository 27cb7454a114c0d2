import { useVirtualizer } from '@tanstack/react-virtual'
import { Check } from 'lucide-react'
import { useRef, useState, type Ref } from 'react'
import { Counts, letterWord } from './diff-row-view.tsx'
import type { FileShape } from './diff-rows.ts'
import css from './file-list.module.css'
import { shown } from '../../ui/hostile-text.ts'

type Props = {
  shapes: readonly FileShape[]
  current: number
  isViewed: (file: number) => boolean
  onChoose: (file: number) => void
  filterRef: Ref<HTMLInputElement>
}

/** The changed files: there before any patch is. */
export function FileList({ shapes, current, isViewed, onChoose, filterRef }: Props) {
  const [filter, setFilter] = useState('')
  const scroller = useRef<HTMLDivElement>(null)
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean)
  const found = shapes.flatMap(({ file }, at) =>
    words.every((word) => file.path.toLowerCase().includes(word)) ? [at] : [],
  )
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 8,
  })
  return (
    <nav className={css['files']} aria-label="Changed files">
      <input
        ref={filterRef}
        className={css['filter']}
        type="search"
        placeholder="Filter files"
        aria-label="Filter the changed files"
        value={filter}
        onChange={(event) => setFilter(event.target.value)}
        onKeyDown={(event) => {
          const [first] = found
          if (event.key === 'Enter' && first !== undefined) onChoose(first)
          if (event.key === 'Escape') event.currentTarget.blur()
        }}
      />
      <div ref={scroller} className={css['scroll']}>
        <ul style={{ height: virtual.getTotalSize() }}>
          {virtual.getVirtualItems().map(({ index, start }) => {
            const at = found[index] ?? -1
            const shape = shapes[at]
            if (!shape) return null
            const { file, notes } = shape
            const cut = file.path.lastIndexOf('/') + 1
            return (
              <li key={file.path} style={{ transform: `translateY(${start}px)` }}>
                <button
                  type="button"
                  className={css['file']}
                  aria-current={at === current ? 'true' : undefined}
                  title={shown(file.path)}
                  onClick={() => onChoose(at)}
                >
                  <span className={css['mark']}>
                    {isViewed(at) ? (
                      <Check size={14} strokeWidth={2} role="img" aria-label="viewed" />
                    ) : (
                      <span title={letterWord(file.status)}>{file.status}</span>
                    )}
                  </span>
                  <span className={css['name']}>
                    <span className={css['folder']}>{shown(file.path.slice(0, cut))}</span>
                    <span className={css['base']}>{shown(file.path.slice(cut))}</span>
                  </span>
                  {notes.length > 0 && (
                    <span className={css['issues']} title={`${notes.length} open issues of the review`}>
                      {notes.length}
                      <span className="visually-hidden"> open issues</span>
                    </span>
                  )}
                  <Counts file={file} />
                </button>
              </li>
            )
          })}
        </ul>
        {found.length === 0 && <p className={css['none']}>No file is called that.</p>}
      </div>
    </nav>
  )
}
