import { Search, X } from 'lucide-react'
import { Fragment, useDeferredValue, useEffect, useId, useMemo, useRef, useState } from 'react'
import type { KeyboardEvent } from 'react'
import { PaletteIcon } from './palette-icon.tsx'
import { headings, kinds, type PaletteItem } from './palette-items.ts'
import css from './palette.module.css'
import { rankingOf } from './rank.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { focusPage } from '../../ui/focus-page.ts'
import { shown } from '../../ui/text/hostile-text.ts'
import { keyText } from '../../ui/keys/key-text.ts'
import { counted } from '@beadloom/core/text/count-text.ts'
import { typedKey } from '../../ui/keys/typed-key.ts'

/** Nobody reads further; one more letter finds the rest. */
const MOST = 50
const PAGE = 8

type Props = { items: readonly PaletteItem[]; early: string; onClose: () => void }

/** A text box with a list of matches: an editable combobox, in which the focus stays in the box. */
export function PaletteBox({ items, early, onClose }: Props) {
  const id = useId()
  const list = useRef<HTMLUListElement>(null)
  const [typed, setTyped] = useState(early)
  const [active, setActive] = useState(0)
  // Typing comes first: the list is drawn when there is time, and an outdated one is dropped.
  const query = useDeferredValue(typed)
  const rank = useMemo(() => rankingOf(items), [items])
  const { items: found, total } = useMemo(() => rank(query, MOST), [rank, query])
  const isGrouped = query.trim() === ''
  const at = Math.min(active, found.length - 1)
  useEffect(() => {
    // The first option scrolls into view with its heading.
    const to = at === 0 ? list.current?.firstElementChild : list.current?.querySelector('[aria-selected="true"]')
    to?.scrollIntoView({ block: 'nearest' })
  }, [at, found])

  const choose = (item: PaletteItem | undefined) => {
    if (!item) return
    onClose()
    if (item.kind !== 'action' && item.kind !== 'page') focusPage()
    item.run()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const key = typedKey(event)
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: PAGE, PageUp: -PAGE }[key]
    if (step !== undefined && found.length > 0) {
      event.preventDefault()
      const next = at + step
      // Single steps wrap around; a page stops at the end.
      if (Math.abs(step) === 1) setActive((next + found.length) % found.length)
      else setActive(Math.max(0, Math.min(found.length - 1, next)))
    } else if (key === 'Enter') {
      event.preventDefault()
      // The text typed now decides, even if its list is not drawn yet.
      choose(query === typed ? found[at] : rank(typed, 1).items[0])
    } else if (key.toLowerCase() === 'k' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      onClose()
    }
  }

  return (
    <Dialog title="Find a bead, a page or an action" look="palette" onClose={onClose}>
      <div className={css['line']}>
        <Search size={16} strokeWidth={1.5} aria-hidden />
        <input
          value={typed}
          onChange={(event) => {
            setTyped(event.target.value)
            setActive(0)
          }}
          onKeyDown={onKeyDown}
          className={css['input']}
          placeholder="Bead, page or action"
          maxLength={200}
          spellCheck={false}
          autoComplete="off"
          role="combobox"
          aria-label="Bead, page or action"
          aria-expanded={found.length > 0}
          aria-controls={`${id}-list`}
          aria-autocomplete="list"
          aria-activedescendant={found.length > 0 ? `${id}-${at}` : undefined}
        />
        <button type="button" className={css['close']} aria-label="Close" onClick={onClose}>
          <X size={16} strokeWidth={1.5} aria-hidden />
        </button>
      </div>
      <ul ref={list} id={`${id}-list`} role="listbox" aria-label="Results" className={css['list']}>
        {found.map((item, index) => (
          <Fragment key={item.key}>
            {isGrouped && item.kind !== found[index - 1]?.kind && (
              <li role="presentation" className={css['heading']}>
                {headings[item.kind]}
              </li>
            )}
            <Option
              id={`${id}-${index}`}
              item={item}
              grouped={isGrouped}
              active={index === at}
              onActive={() => setActive(index)}
              onChoose={() => choose(item)}
            />
          </Fragment>
        ))}
      </ul>
      <p className={css['foot']} role="status">
        {found.length === 0
          ? `No results for “${shown(query.trim())}”. Try part of an id or a title.`
          : total > found.length
            ? `First ${found.length} of ${total} results`
            : counted(total, 'result')}
      </p>
    </Dialog>
  )
}

const Keys = ({ keys }: { keys: string }) => (
  <span className={css['keys']}>
    {keyText(keys)
      .split(' ')
      .map((key, at) => (
        // oxlint-disable-next-line react/no-array-index-key -- the keys of one shortcut, which never change
        <kbd key={at}>{key}</kbd>
      ))}
  </span>
)

type OptionProps = {
  id: string
  item: PaletteItem
  grouped: boolean
  active: boolean
  onActive: () => void
  onChoose: () => void
}

// The box handles the keys for all options; the pointer may choose one, too.
function Option({ id, item, grouped, active, onActive, onChoose }: OptionProps) {
  const { kind, name, title, keys } = item
  return (
    <li
      id={id}
      role="option"
      aria-selected={active}
      className={css['option']}
      onPointerMove={active ? undefined : onActive}
      onMouseDown={(event) => event.preventDefault()} // the focus stays in the box
      onClick={onChoose}
    >
      <span className={css['mark']}>
        <PaletteIcon item={item} />
      </span>
      {name !== '' && <span className={css['name']}>{shown(name)}</span>}
      <span className={css['title']}>{shown(title)}</span>
      {keys !== undefined ? <Keys keys={keys} /> : !grouped && <span className={css['kind']}>{kinds[kind]}</span>}
    </li>
  )
}
