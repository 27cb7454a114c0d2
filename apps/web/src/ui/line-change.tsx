import { countText, shortCount } from '@beadloom/core/text/count-text.ts'
import css from './line-change.module.css'

/** "+120 −34"; a side without lines is left out. `short`: "+1.2k", for narrow places. */
export function LineChange({ added, removed, short }: { added: number; removed: number; short?: boolean }) {
  const text = short === true ? shortCount : countText
  return (
    <>
      {(added > 0 || removed === 0) && <span className={css['plus']}>+{text(added)}</span>}
      {added > 0 && removed > 0 && ' '}
      {removed > 0 && <span className={css['minus']}>−{text(removed)}</span>}
    </>
  )
}
