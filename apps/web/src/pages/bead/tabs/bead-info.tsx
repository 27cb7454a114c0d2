import { LateMarkdown } from '../../../components/markdown/late-markdown.tsx'
import type { BeadView } from '@beadloom/core/api/beads/bead-api.ts'
import type { ExecutionView } from '@beadloom/core/api/executions/execution-api.ts'
import { isExternal } from '@beadloom/core/bead/external.ts'
import { allTokens } from '@beadloom/core/budget/token-use.ts'
import { Link } from '@tanstack/react-router'
import { Suspense, type ReactNode } from 'react'
import css from './bead-info.module.css'
import { Editable, type EditProps } from '../edit/editable.tsx'
import { fieldWords, PlainFacts } from '../edit/plain-facts.tsx'
import { ExecutionList } from './execution-list.tsx'
import { StateMark } from '../../../components/bead/state-mark.tsx'
import { marks } from '../../../components/bead/states.ts'
import { sumOf, tokensInFull, tokensInShort } from '../../../components/bead/token-words.ts'
import { useLanes } from '../../../components/bead/use-lanes.ts'
import { useServerNow } from '../../../feed/feed-context.tsx'
import { useRefusal } from '../../../ui/allowed.ts'
import { ErrorBoundary } from '../../../ui/error-boundary.tsx'
import { lazyPart } from '../../../ui/lazy-part.ts'
import { shown } from '../../../ui/text/hostile-text.ts'
import { exactText, sinceText } from '../../../ui/text/time-text.ts'

const { Part: FactFields } = lazyPart(async () => (await import('../edit/fact-fields.tsx')).FactFields)
const { Part: PeopleList } = lazyPart(
  async () => (await import('../../../components/people/people-list.tsx')).PeopleList,
)

type Props = {
  bead: BeadView
  executions: ExecutionView[]
  project: string
  /** An agent works on it. */
  live: boolean
} & EditProps

export function BeadInfo({ bead, executions, project, live, ...edit }: Props) {
  return (
    <div className={css['info']}>
      <section aria-labelledby="description">
        <Editable bead={bead} field="description" now={bead.description} live={live} {...edit}>
          {(button) => (
            <>
              <h2 id="description">Description {button}</h2>
              {bead.description.trim() === '' ? <p>No description.</p> : <Text bead={bead} text={bead.description} />}
            </>
          )}
        </Editable>
      </section>
      <section aria-labelledby="acceptance">
        <Editable bead={bead} field="acceptance" now={bead.acceptance ?? ''} live={live} {...edit}>
          {(button) =>
            bead.acceptance === undefined ? (
              button
            ) : (
              <>
                <h2 id="acceptance">Acceptance criteria {button}</h2>
                <Text bead={bead} text={bead.acceptance} />
              </>
            )
          }
        </Editable>
      </section>
      <Links title="Follows from" beads={bead.dependencies.filter(isOrigin)} project={project} />
      <Editable bead={bead} field="waits" now="" live={live} {...edit}>
        {(button) => {
          const waitsFor = bead.dependencies.filter((one) => !isOrigin(one))
          return waitsFor.length === 0 ? (
            <div>{button}</div>
          ) : (
            <Links title="Waits for" beads={waitsFor} project={project} button={button} />
          )
        }}
      </Editable>
      <Links title="Blocks" beads={bead.dependents.filter((one) => !isOrigin(one))} project={project} />
      {[...bead.dependencies, ...bead.dependents].some((one) => !isOrigin(one)) && (
        <p>
          <Link to="/p/$project/graph" params={{ project }} search={{ bead: bead.id }}>
            Show in the graph
          </Link>
        </p>
      )}
      <Links title="Led to" beads={bead.dependents.filter(isOrigin)} project={project} />
      {executions.length > 0 && (
        <section aria-labelledby="executions">
          <h2 id="executions">Executions</h2>
          <ExecutionList executions={executions} />
        </section>
      )}
      {bead.actions !== undefined && (
        <Suspense fallback={null}>
          <PeopleList actions={bead.actions} />
        </Suspense>
      )}
      <Details bead={bead} executions={executions} />
    </div>
  )
}

function Details({ bead, executions }: Pick<Props, 'bead' | 'executions'>) {
  const now = useServerNow()
  const mayEdit = useRefusal('runner') === null
  const note = trackerNote(bead, executions[0] ?? null)
  const waits = (bead.edits ?? []).filter(({ problem }) => problem === '')
  const facts: [name: string, value: string, exact?: string, note?: string | null][] = [
    ...(bead.baseBranch === undefined ? [] : ([['Continues', bead.baseBranch]] as [string, string][])),
    ['Tracker', bead.trackerStatus.replaceAll('_', ' '), undefined, note],
    ...tokensOf(executions),
    ['Created', sinceText(now - bead.createdAt), exactText(bead.createdAt)],
    ['Updated', sinceText(now - bead.updatedAt), exactText(bead.updatedAt)],
  ]
  return (
    <section aria-labelledby="facts">
      <h2 id="facts">Details</h2>
      <dl className={css['facts']}>
        {mayEdit ? (
          <Suspense fallback={<PlainFacts bead={bead} />}>
            <FactFields bead={bead} />
          </Suspense>
        ) : (
          <PlainFacts bead={bead} />
        )}
        {facts.map(([name, value, exact, more]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd title={exact}>
              {shown(value)}
              {more && <span className={css['muted']}> ({more})</span>}
            </dd>
          </div>
        ))}
      </dl>
      {waits.length > 0 && (
        <p className={css['muted']}>
          Still to be written to the tracker: {waits.map(({ field }) => fieldWords[field]).join(', ')}.
        </p>
      )}
    </section>
  )
}

const Text = ({ bead, text }: { bead: BeadView; text: string }) => (
  <ErrorBoundary key={bead.id} what="The description">
    <LateMarkdown text={text} />
  </ErrorBoundary>
)

/** Tokens of all its executions, in full on hover; nothing if none were used. */
function tokensOf(executions: ExecutionView[]): [name: string, value: string, exact: string][] {
  const sum = sumOf(executions.map(({ tokens }) => tokens))
  if (allTokens(sum) === 0) return []
  const currency = executions.find((one) => one.currency !== undefined)?.currency
  return [['Tokens', tokensInShort(sum, currency), `${tokensInFull(sum, currency)}, over all executions`]]
}

/** The reason why the tracker's status differs from the page's. */
function trackerNote({ status, trackerStatus }: BeadView, execution: ExecutionView | null): string | null {
  if (status === 'in_progress' && execution?.state === 'FAILED')
    return 'a failed bead stays in progress in the tracker, so that nobody mistakes it for untouched work'
  if (status === 'timeout')
    return trackerStatus === 'timeout' ? null : 'the tracker has no status for work that timed out'
  return null
}

type Linked = BeadView['dependencies'][number] | BeadView['dependents'][number]

/** A link that blocks nothing: one bead was discovered during work on the other. */
const isOrigin = ({ type }: Linked): boolean => type === 'discovered-from'

/** The reason why a link leads nowhere. */
function whyMissing(one: Linked): string {
  if (!isExternal(one.id)) return 'not in the tracker'
  return 'met' in one ? 'of another project, and there' : 'of another project'
}

type LinksProps = { title: string; beads: readonly Linked[]; project: string; button?: ReactNode }

function Links({ title, beads, project, button }: LinksProps) {
  const lane = useLanes(project)
  if (beads.length === 0) return null
  return (
    <section aria-label={title}>
      <h2>
        {title} {button}
      </h2>
      <ul className={css['links']}>
        {beads.map((one) => (
          <li key={`${one.type} ${one.id}`}>
            {one.status === 'missing' ? (
              <span className={css['missing']}>?</span>
            ) : (
              <StateMark mark={marks[lane(one.id, one.status) ?? 'open']} bare />
            )}
            {one.status === 'missing' ? (
              <span>
                {one.id} <span className={css['muted']}>({whyMissing(one)})</span>
              </span>
            ) : (
              <Link to="/p/$project/b/$bead" params={{ project, bead: one.id }}>
                <span className={css['id']}>{one.id}</span>{' '}
                <span className={css['title']}>{shown(one.title ?? '')}</span>
              </Link>
            )}
            {one.type !== 'blocks' && !isOrigin(one) && <span className={css['muted']}>{one.type}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}
