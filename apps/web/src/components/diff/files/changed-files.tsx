import { useDeferredValue, useMemo, useState, useSyncExternalStore, type Ref } from 'react'
import css from './file-list.module.css'
import { FileList } from './file-list.tsx'
import { FileFilter, filesWith, type FilesProps } from './file-parts.tsx'
import type { FileRead } from './file-read.ts'
import { FileTree } from './file-tree-view.tsx'

type Props = Omit<FilesProps, 'current'> & { read: FileRead; tree: boolean; filterRef: Ref<HTMLInputElement> }

/** The changed files, listed before any patch is loaded. */
export function ChangedFiles({ tree, filterRef, read, ...given }: Props) {
  const files = { ...given, current: useDeferredValue(useSyncExternalStore(read.subscribe, read.now)) }
  const [filter, setFilter] = useState('')
  const { shapes, onChoose } = files
  const found = useMemo(() => filesWith(shapes, filter), [shapes, filter])
  return (
    <nav className={css['files']} aria-label="Changed files">
      <FileFilter
        ref={filterRef}
        filter={filter}
        onFilter={setFilter}
        onEnter={() => found[0] !== undefined && onChoose(found[0])}
      />
      {found.length === 0 && <p className={css['none']}>No files match.</p>}
      {found.length > 0 &&
        (tree ? (
          <FileTree {...files} found={found} filtered={filter.trim() !== ''} />
        ) : (
          <FileList {...files} found={found} />
        ))}
    </nav>
  )
}
