import { Clock, Copy, Download, FileText, Palette } from 'lucide-react'
import { useState } from 'react'
import { copyLines } from './lines/log-copy.ts'
import css from './log-bar.module.css'
import { ownZone } from './lines/log-times.ts'
import { logTextUrl } from '../../api/endpoints.ts'
import type { LogText } from '../../api/endpoints.ts'
import { saveFile } from '../../api/sign-ins.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { toastError } from '../../ui/toast.tsx'

const icon = { size: 16, strokeWidth: 1.5, 'aria-hidden': true } as const

type Props = { session: string; lines: number; open: boolean; onOpen: (open: boolean) => void }

/** The whole log as a document, a file or text: always the server's copy, never only what is drawn. */
export function DownloadMenu({ session, lines, open, onOpen }: Props) {
  return (
    <>
      <a className={css['raw']} href={logTextUrl(session)} target="_blank" rel="noreferrer" title="Open as plain text">
        <FileText {...icon} />
        <span>Open as plain text</span>
      </a>
      <Menu
        label="Download or copy the log"
        open={open}
        onOpen={onOpen}
        trigger={
          <button type="button" className={css['menu']} title="Download or copy">
            <Download {...icon} />
            <span>Download</span>
          </button>
        }
      >
        <DownloadItems session={session} lines={lines} />
      </Menu>
    </>
  )
}

export function DownloadItems({ session, lines }: Pick<Props, 'session' | 'lines'>) {
  const save = (how: LogText) => void saveFile(logTextUrl(session, { ...how, download: true })).catch(toastError)
  const [zone] = useState(ownZone) // `Intl` is slow, and this draws whenever the log has grown
  return (
    <>
      <MenuItem onSelect={() => save({ ansi: false })}>
        <FileText {...icon} /> Download as plain text
      </MenuItem>
      <MenuItem onSelect={() => save({ ansi: true })}>
        <Palette {...icon} /> Download with colours (ANSI)
      </MenuItem>
      <MenuItem onSelect={() => save({ times: 'utc' })}>
        <Clock {...icon} /> Download with times (UTC)
      </MenuItem>
      {zone !== 'UTC' && (
        <MenuItem onSelect={() => save({ times: { zone } })}>
          <Clock {...icon} /> Download with times ({zone})
        </MenuItem>
      )}
      {lines > 0 && (
        <>
          <MenuLine />
          <MenuItem onSelect={() => copyLines(session, { first: 0, last: lines - 1 }, 'plain')}>
            <Copy {...icon} /> Copy everything
          </MenuItem>
        </>
      )}
    </>
  )
}
