import { ChevronUp, CircleX, Ellipsis, FileText } from 'lucide-react'
import { DownloadItems } from './download-menu.tsx'
import { CONTEXTS } from './find/use-log-find.ts'
import type { LogBarProps } from './log-bar-props.ts'
import css from './log-bar.module.css'
import { Choice, ViewItems } from './view-menu.tsx'
import { logTextUrl } from '../../api/endpoints.ts'
import { countText } from '@beadloom/core/text/count-text.ts'
import { Menu, MenuFact, MenuItem } from '../../ui/menu.tsx'

/** The tools of a log as narrow as a phone: the next error, and one menu for all else. */
export function FewTools(props: LogBarProps) {
  const { errors } = props
  return (
    <>
      <span className={css['aside']}>
        {props.children}
        {errors.hits.length > 0 && (
          <button
            type="button"
            className={`${css['menu']} ${css['errors']}`}
            aria-label={`Next error of ${countText(errors.hits.length)}`}
            onClick={() => props.onError(1)}
          >
            <CircleX size={16} strokeWidth={1.5} aria-hidden />
            {errors.text || countText(errors.hits.length)}
          </button>
        )}
      </span>
      <LogMenu {...props} />
    </>
  )
}

function LogMenu({ session, find, lines, errors, onError, choices, onChoice, download, onDownload }: LogBarProps) {
  const { query, filtering } = find
  return (
    <Menu
      label="Log tools"
      open={download}
      onOpen={onDownload}
      trigger={
        <button type="button" className={css['menu']} aria-label="Log tools">
          <Ellipsis size={16} strokeWidth={1.5} aria-hidden />
        </button>
      }
    >
      <MenuFact className={css['heading']}>Find</MenuFact>
      <Choice on={query.matchCase} flip={() => find.change({ matchCase: !query.matchCase })}>
        Match case
      </Choice>
      <Choice on={query.word} flip={() => find.change({ word: !query.word })}>
        Whole words
      </Choice>
      <Choice on={query.regex} flip={() => find.change({ regex: !query.regex })}>
        Regular expression
      </Choice>
      <Choice on={filtering} flip={() => find.setFiltering(!filtering)}>
        Only matching lines
      </Choice>
      {filtering &&
        CONTEXTS.map((count) => (
          <Choice key={count} on={find.context === count} flip={() => find.setContext(count)}>
            ± {count} lines around each match
          </Choice>
        ))}
      {errors.hits.length > 0 && (
        <MenuItem onSelect={() => onError(-1)}>
          <ChevronUp size={16} strokeWidth={1.5} aria-hidden /> Previous error
        </MenuItem>
      )}
      <MenuFact className={css['heading']}>View</MenuFact>
      <Choice on={choices.wrap} flip={() => onChoice('wrap')}>
        Wrap long lines
      </Choice>
      <ViewItems choices={choices} onChoice={onChoice} />
      <MenuFact className={css['heading']}>Download</MenuFact>
      <MenuItem onSelect={() => window.open(logTextUrl(session), '_blank', 'noreferrer')}>
        <FileText size={16} strokeWidth={1.5} aria-hidden /> Open as plain text
      </MenuItem>
      <DownloadItems session={session} lines={lines} />
    </Menu>
  )
}
