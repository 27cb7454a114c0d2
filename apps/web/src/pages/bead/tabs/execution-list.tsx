import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { lastedBy } from '@beadloom/core/execution/lasted.ts'
import { tellFlags } from '@beadloom/core/execution/tell-flags.ts'
import { getRouteApi } from '@tanstack/react-router'
import css from './execution-list.module.css'
import { placeText } from '@beadloom/core/views/place-words.ts'
import { ReachedHosts } from './reached-hosts.tsx'
import { pickSession } from './pick-session.ts'
import { chosenText } from '../../../components/bead/run/agent-words.ts'
import { Chip } from '../../../components/bead/chip.tsx'
import { flagWords, reasonText, retriesText } from '../../../components/bead/end-words.ts'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { executionMark } from '../../../components/bead/states.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { Button } from '../../../ui/button.tsx'
import { shown } from '../../../ui/text/hostile-text.ts'
import { shortCount } from '@beadloom/core/text/count-text.ts'
import { exactText, sinceText, spanText } from '../../../ui/text/time-text.ts'

const route = getRouteApi('/p/$project/b/$bead')

/** Every execution of the bead, newest first; the pipeline shows the sessions of the one selected. */
export function ExecutionList({ executions }: { executions: ExecutionView[] }) {
  const now = useServerNow()
  const { session: chosen } = route.useSearch()
  const navigate = route.useNavigate()
  const onShow = (session: string) =>
    void navigate({
      search: (old) => ({ ...old, tab: 'output', session, line: undefined, to: undefined }),
      replace: true,
    })
  return (
    <ol className={css['list']}>
      {executions.map((one, index) => {
        const session = pickSession([one], undefined)?.session.id ?? null
        const tokens = one.tokens.input + one.tokens.output
        const ms = lastedBy(one, now)
        const span = ms === null ? null : spanText(ms)
        return (
          <li key={one.id}>
            <div className={css['head']}>
              <StateMark {...executionMark(one)} />
              <span className={css['figures']} title={exactText(one.queuedAt)}>
                {[
                  span,
                  retriesText(one),
                  tokens > 0 ? `${shortCount(tokens)} tok` : null,
                  one.place ? placeText(one.place) : null,
                  sinceText(now - one.queuedAt),
                ]
                  .filter(Boolean)
                  .join(' · ')}
              </span>
            </div>
            {(one.reason !== null || one.flags.length > 0) && (
              <p className={css['flags']}>
                {reasonText(one)}
                {tellFlags(one.flags).map(({ kind, text }, index) => (
                  <Chip key={`${kind} ${index}`} tone={flagWords[kind].tone} title={shown(text)}>
                    {flagWords[kind].short}
                  </Chip>
                ))}
              </p>
            )}
            {one.detail !== '' && (
              <p className={css['detail']} title={shown(one.detail)}>
                {shown(one.detail.split('\n', 1)[0] ?? '')}
              </p>
            )}
            {one.reached !== undefined && <ReachedHosts execution={one.id} reached={one.reached} />}
            {chosenText(one.chosen) !== null && (
              <p className={css['detail']}>This run only: {shown(chosenText(one.chosen) ?? '')}</p>
            )}
            {one.context !== '' && <p className={css['detail']}>Note: {shown(one.context)}</p>}
            <p className={css['branch']}>{one.branch}</p>
            {one.fetch !== undefined && (
              <p className={css['detail']}>
                To get this branch, in your clone: <code className={css['fetch']}>{shown(one.fetch)}</code>
              </p>
            )}
            {session !== null && (
              <Button
                look="quiet"
                className={css['show']}
                aria-pressed={chosen === undefined ? index === 0 : one.sessions.some(({ id }) => id === chosen)}
                onClick={() => onShow(session)}
              >
                Show its output
              </Button>
            )}
          </li>
        )
      })}
    </ol>
  )
}
