import { Copy, Link, ListOrdered, Maximize2, Palette, X } from 'lucide-react'
import { copyText } from '../../ui/clipboard.ts'
import { linesText } from './lines/line-selection.ts'
import type { Lines } from './lines/line-selection.ts'
import { copyLines } from './lines/log-copy.ts'
import css from './log-pane.module.css'
import { Button, IconButton } from '../../ui/button.tsx'
import { countText } from '@beadloom/core/text/count-text.ts'
import { toast, toastError } from '../../ui/toast.tsx'

type Props = { session: string; lines: Lines; onOpen: (line: number) => void; onClear: () => void }

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

/** Actions for the selected lines. The page's address names them already. */
export function SelectionBar({ session, lines, onOpen, onClear }: Props) {
  const count = lines.last - lines.first + 1
  const copyLink = () =>
    void copyText(Promise.resolve(location.href)).then(() => toast('Link to these lines copied'), toastError)
  return (
    <div className={css['selection']} role="toolbar" aria-label="Selected lines">
      <span className={css['chosen']}>
        {count === 1 ? `Line ${countText(lines.first + 1)}` : `Lines ${linesText(lines)} (${countText(count)})`}
      </span>
      <Button look="quiet" icon={<Copy {...icon} />} onClick={() => copyLines(session, lines, 'plain')}>
        Copy
      </Button>
      <IconButton label="Copy with line numbers" onClick={() => copyLines(session, lines, 'numbers')}>
        <ListOrdered {...icon} />
      </IconButton>
      <IconButton label="Copy with colours (ANSI)" onClick={() => copyLines(session, lines, 'ansi')}>
        <Palette {...icon} />
      </IconButton>
      <IconButton label="Copy a link to these lines" onClick={copyLink}>
        <Link {...icon} />
      </IconButton>
      {count === 1 && (
        <IconButton label="Show the whole line (JSON as a tree)" keys="⏎" onClick={() => onOpen(lines.first)}>
          <Maximize2 {...icon} />
        </IconButton>
      )}
      <IconButton label="Clear the selection" keys="Esc" onClick={onClear}>
        <X {...icon} />
      </IconButton>
    </div>
  )
}
