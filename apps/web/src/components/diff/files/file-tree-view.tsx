import { defaultRangeExtractor, useVirtualizer, type Range } from '@tanstack/react-virtual'
import { ChevronDown, ChevronRight } from 'lucide-react'
import { useEffect, useEffectEvent, useId, useMemo, useRef, useState, type KeyboardEvent } from 'react'
import css from './file-list.module.css'
import { FileMark, FileNumbers, Issues, type FilesProps } from './file-parts.tsx'
import { treeRows, treeStep, type TreeRow } from './file-tree.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { countText } from '@beadloom/core/text/count-text.ts'

/** Deeper folders are not indented any further: their names need the room. */
const MOST_INDENT = 8
/** The tree follows once the reader has stayed at a file for this long. */
const FOLLOW_MS = 150

type Props = FilesProps & { found: readonly number[]; filtered: boolean }

/** The changed files in their folders. One Tab stop; arrows move within. */
export function FileTree({ shapes, found, filtered, current, isViewed, onChoose }: Props) {
  const [chosen, setChosen] = useState<string | null>(null)
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  const { rows, toggle } = useFolders(shapes, found, filtered)
  /** The row of the file being read, or of the closed folder around it. */
  const here = rows.findIndex((row) =>
    row.is === 'file' ? row.file === current : !row.open && row.files.includes(current),
  )
  const active = Math.max(0, chosen === null ? here : rows.findIndex(({ key }) => key === chosen))
  // oxlint-disable-next-line react/incompatible-library -- its results stay in this component
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 28,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
    // The row with the keyboard must be in the document, or a screen reader cannot read it.
    rangeExtractor: (range: Range) =>
      [...new Set([Math.min(active, range.count - 1), ...defaultRangeExtractor(range)])].toSorted((a, b) => a - b),
  })
  const follow = useEffectEvent((row: number) => {
    // A person who uses the tree keeps their place in it.
    if (scroller.current?.contains(document.activeElement) !== true) virtual.scrollToIndex(row)
  })
  useEffect(() => {
    if (here < 0) return
    // Delayed: in each frame of scrolling, it would force a second layout of the whole page.
    const timer = setTimeout(() => follow(here), FOLLOW_MS)
    return () => clearTimeout(timer)
  }, [here])

  const press = (row: TreeRow) => {
    setChosen(row.key)
    if (row.is === 'folder') toggle(row.key)
    else onChoose(row.file)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const row = rows[active]
    const step = treeStep(rows, active, event.key)
    if (step === null && !(row && (event.key === 'Enter' || event.key === ' '))) return
    event.preventDefault()
    event.stopPropagation()
    if (step === null) {
      if (row) press(row)
    } else if ('toggle' in step) {
      setChosen(step.toggle)
      toggle(step.toggle)
    } else {
      setChosen(rows[step.to]?.key ?? null)
      virtual.scrollToIndex(step.to)
    }
  }
  return (
    <div
      ref={scroller}
      className={css['scroll']}
      role="tree"
      aria-label="Changed files by folder"
      tabIndex={0}
      aria-activedescendant={rows[active] ? `${id}-${active}` : undefined}
      onKeyDown={onKeyDown}
      onBlur={() => setChosen(null)}
    >
      <div role="none" className={css['rows']} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, key, start }) => {
          const row = rows[index]
          if (!row) return null
          return (
            <div
              key={key}
              id={`${id}-${index}`}
              role="treeitem"
              className={`${css['file']} ${css['row']}`}
              style={{
                transform: `translateY(${start}px)`,
                paddingInlineStart: 10 + (Math.min(row.depth, MOST_INDENT) - 1) * 14,
              }}
              title={shown(row.key)}
              aria-level={row.depth}
              aria-posinset={row.place}
              aria-setsize={row.of}
              aria-expanded={row.is === 'folder' ? row.open : undefined}
              aria-selected={index === here}
              data-active={index === active || undefined}
              onClick={() => press(row)}
            >
              <RowContent row={row} shapes={shapes} isViewed={isViewed} />
            </div>
          )
        })}
      </div>
    </div>
  )
}

/** The files as rows in their folders, and opening and closing those. */
function useFolders(shapes: Props['shapes'], found: readonly number[], filtered: boolean) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(() => new Set())
  const paths = useMemo(() => shapes.map(({ file }) => file.path), [shapes])
  const rows = useMemo(
    // Search results are shown even in closed folders.
    () => treeRows(paths, found, filtered ? new Set() : closed),
    [paths, found, filtered, closed],
  )
  const toggle = (folder: string) =>
    setClosed((old) =>
      old.has(folder) ? new Set([...old].filter((one) => one !== folder)) : new Set([...old, folder]),
    )
  return { rows, toggle }
}

function RowContent({ row, shapes, isViewed }: { row: TreeRow } & Pick<Props, 'shapes' | 'isViewed'>) {
  if (row.is === 'folder') return <FolderRow row={row} shapes={shapes} />
  const shape = shapes[row.file]
  if (!shape) return null
  return (
    <>
      <FileMark shape={shape} viewed={isViewed(row.file)} />
      <span className={css['leaf']}>{shown(row.name)}</span>
      <FileNumbers shape={shape} />
    </>
  )
}

function FolderRow({ row, shapes }: { row: TreeRow & { is: 'folder' }; shapes: Props['shapes'] }) {
  const Chevron = row.open ? ChevronDown : ChevronRight
  return (
    <>
      <Chevron className={css['chevron']} size={16} strokeWidth={1.5} aria-hidden />
      <span className={css['leaf']}>{shown(row.name)}</span>
      {!row.open && (
        <>
          <Issues count={row.files.reduce((sum, at) => sum + (shapes[at]?.notes.length ?? 0), 0)} />
          <span className={css['many']}>
            {countText(row.files.length)}
            <span className="visually-hidden"> files</span>
          </span>
        </>
      )}
    </>
  )
}
