import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef } from 'react'
import css from './file-list.module.css'
import { FileMark, FileNumbers, type FilesProps } from './file-parts.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'

/** The changed files one under the other, for narrow windows: a tree has no room there. */
export function FileList({ shapes, found, current, isViewed, onChoose }: FilesProps & { found: readonly number[] }) {
  const scroller = useRef<HTMLDivElement>(null)
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: found.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    overscan: 8,
  })
  return (
    <div ref={scroller} className={css['scroll']}>
      <ul style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start }) => {
          const at = found[index] ?? -1
          const shape = shapes[at]
          if (!shape) return null
          const { path } = shape.file
          const cut = path.lastIndexOf('/') + 1
          return (
            <li key={path} style={{ transform: `translateY(${start}px)` }}>
              <button
                type="button"
                className={css['file']}
                aria-current={at === current ? 'true' : undefined}
                title={shown(path)}
                onClick={() => onChoose(at)}
              >
                <FileMark shape={shape} viewed={isViewed(at)} />
                <span className={css['name']}>
                  <span className={css['folder']}>{shown(path.slice(0, cut))}</span>
                  <span className={css['base']}>{shown(path.slice(cut))}</span>
                </span>
                <FileNumbers shape={shape} />
              </button>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
