import { useQuery, useQueryClient } from '@tanstack/react-query'
import { getRouteApi, Link, useBlocker } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import type { SettingField } from '@beadloom/core/api/settings/settings-api.ts'
import type { SettingValue } from '@beadloom/core/project/setting-value.ts'
import { settingSections, type SettingSection } from '@beadloom/core/project/settings-sections.ts'
import { AgentsSection } from './agents-section.tsx'
import { BrowserSettings } from './browser-settings.tsx'
import { BrowsersSection } from './browsers-section.tsx'
import { DangerSection } from './danger-section.tsx'
import { FoundSection } from './found-section.tsx'
import { HistorySection } from './history-section.tsx'
import { SetupSecretsSection } from './setup-secrets-section.tsx'
import { SecretsSection } from './secrets-section.tsx'
import { WebhooksSection } from './webhooks-section.tsx'
import css from './settings-page.module.css'
import {
  changeProjectSettings,
  changeServerSettings,
  getProjectSettings,
  getServerSettings,
} from '../../api/settings.ts'
import { SettingsForm, sectionNames } from '../../components/settings/settings-form.tsx'
import { useDraft } from '../../components/settings/use-draft.ts'
import { useHome } from '../../feed/feed-context.tsx'
import { useRefusal } from '../../ui/allowed.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { shown } from '../../ui/text/hostile-text.ts'
import { Loading } from '../../ui/loading.tsx'
import { usePageTitle } from '../../ui/page-title.ts'
import { toast } from '../../ui/toast.tsx'
import { LoadFailure } from '../../ui/load-failure.tsx'

const route = getRouteApi('/p/$project/settings')

const places = [
  { of: 'project', name: 'This project' },
  { of: 'server', name: 'Server' },
  { of: 'browser', name: 'This browser' },
] as const

/** Settings of the project, of the server and of this browser, each with the source of its value. */
export function SettingsPage() {
  const { project } = route.useParams()
  const { of = 'project' } = route.useSearch()
  const name = useHome().view?.projects.get(project)?.name ?? project
  usePageTitle(`Settings · ${name}`)
  return (
    <div className={css['page']}>
      <header className={css['head']}>
        <h1>Settings</h1>
        <nav className={css['places']} aria-label="Settings for">
          {places.map((place) => (
            <Link
              key={place.of}
              to="/p/$project/settings"
              params={{ project }}
              search={place.of === 'project' ? {} : { of: place.of }}
              activeOptions={{ exact: true, includeSearch: true }}
              className={css['place']}
            >
              {place.of === 'project' ? shown(name) : place.name}
            </Link>
          ))}
        </nav>
      </header>
      {of === 'project' ? (
        <ProjectSettings key={project} project={project} />
      ) : of === 'server' ? (
        <ServerSettings />
      ) : (
        <BrowserSettings />
      )}
    </div>
  )
}

function ProjectSettings({ project }: { project: string }) {
  const client = useQueryClient()
  const key = ['settings', project]
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getProjectSettings(project, signal) })
  const edit = useDraft(query.data)
  const view = query.data
  const save = async (changes: Record<string, SettingValue>) => {
    try {
      const now = await changeProjectSettings(project, { revision: Number(edit.revision ?? 0), changes })
      client.setQueryData(key, now)
      edit.saved(Object.keys(changes), now)
      toast('Saved. New executions will use it.')
    } catch (error) {
      const now = await query.refetch()
      if (now.data) edit.accept(now.data)
      throw error
    }
  }
  return (
    <Loaded query={query}>
      {view && (
        <Sections
          problem={view.problem}
          about={`Read from ${view.file}. Overrides are stored on this server.`}
          fields={view.fields}
          edit={edit}
          onSave={save}
          after={
            <>
              <FoundSection project={project} />
              <SetupSecretsSection project={project} />
              <AgentsSection project={project} />
              <HistorySection
                history={view.history}
                fields={view.fields}
                onRevert={async (changes) => {
                  client.setQueryData(key, await changeProjectSettings(project, { revision: view.revision, changes }))
                  toast('Reverted. New executions will use it.')
                }}
              />
              <DangerSection project={project} />
            </>
          }
          more={['found', 'setup-secrets', 'agents', 'history', 'danger']}
        />
      )}
    </Loaded>
  )
}

function ServerSettings() {
  const client = useQueryClient()
  const key = ['server-settings']
  const query = useQuery({ queryKey: key, queryFn: ({ signal }) => getServerSettings(signal) })
  const edit = useDraft(query.data)
  const view = query.data
  const save = async (changes: Record<string, SettingValue>) => {
    try {
      const now = await changeServerSettings({ revision: String(edit.revision ?? ''), changes })
      client.setQueryData(key, now)
      edit.saved(Object.keys(changes), now)
      toast('Saved. Takes effect when the server restarts.')
    } catch (error) {
      const now = await query.refetch()
      if (now.data) edit.accept(now.data)
      throw error
    }
  }
  return (
    <Loaded query={query}>
      {view && (
        <Sections
          problem={view.problem}
          about={`Flags override the environment, which overrides ${view.file}. Changes made here are written to that file, for the next start.`}
          fields={view.fields}
          edit={edit}
          onSave={save}
          after={
            <>
              <SecretsSection secrets={view.secrets} />
              <WebhooksSection />
              <BrowsersSection />
            </>
          }
          more={['secrets', 'webhooks', 'browsers']}
        />
      )}
    </Loaded>
  )
}

type Query = { isPending: boolean; error: Error | null; data: unknown; refetch: () => unknown }

function Loaded({ query, children }: { query: Query; children: ReactNode }) {
  if (query.data !== undefined) return children
  if (query.error === null) return <Loading what="settings" />
  return <LoadFailure what="The settings" error={query.error} onRetry={() => void query.refetch()} />
}

const moreNames = {
  webhooks: 'Webhooks',
  browsers: 'Signed-in browsers',
  found: 'Found in the files',
  'setup-secrets': 'Setup secrets',
  agents: 'Agents by name',
  history: 'Changes made here',
  danger: 'Pause and remove',
  secrets: 'Secrets',
} as const

type SectionsProps = {
  problem: string | null
  about: string
  fields: readonly SettingField[]
  edit: ReturnType<typeof useDraft>
  onSave: (changes: Record<string, SettingValue>) => Promise<void>
  after: ReactNode
  more: readonly (keyof typeof moreNames)[]
}

function Sections({ problem, about, fields, edit, onSave, after, more }: SectionsProps) {
  const refusal = useRefusal('admin')
  const present = settingSections.filter((section) => fields.some((field) => field.section === section))
  return (
    <div className={css['body']}>
      <nav className={css['toc']} aria-label="Sections">
        {[...present, ...more].map((id) => (
          <a key={id} href={`#${id}`}>
            {id in moreNames ? moreNames[id as keyof typeof moreNames] : sectionNames[id as SettingSection]}
          </a>
        ))}
      </nav>
      <div className={css['sections']} data-unsaved={edit.editing || undefined}>
        <p className={css['about']}>{shown(about)}</p>
        {refusal !== null && (
          <p role="note" className={css['locked']}>
            You can look at these settings. Changing them {shown(refusal)}.
          </p>
        )}
        {problem !== null && (
          <p role="alert" className={css['problem']}>
            {shown(problem)}
          </p>
        )}
        {edit.meanwhile.length > 0 && (
          <div role="status" className={css['meanwhile']}>
            <p>These settings changed elsewhere while you were editing. What you typed is still here.</p>
            <ul>
              {edit.meanwhile.map((line) => (
                <li key={line}>{shown(line)}</li>
              ))}
            </ul>
          </div>
        )}
        {present.map((section) => (
          <SettingsForm
            key={section}
            section={section}
            fields={fields.filter((field) => field.section === section)}
            draft={edit.draft}
            onDraft={edit.change}
            onSave={onSave}
          />
        ))}
        {after}
      </div>
      <DirtyGuard dirty={edit.editing} />
    </div>
  )
}

/** Asks before a person leaves with unsaved changes; the browser's own question covers closing the tab. */
function DirtyGuard({ dirty }: { dirty: boolean }) {
  const { proceed, reset, status } = useBlocker({
    shouldBlockFn: ({ current, next }) =>
      dirty && !(current.pathname === next.pathname && sameSearch(current.search, next.search)),
    enableBeforeUnload: dirty,
    withResolver: true,
  })
  if (status !== 'blocked') return null
  return (
    <Dialog title="Leave without saving?" onClose={reset}>
      <p>Unsaved changes will be lost.</p>
      <DialogActions>
        <Button onClick={reset}>Stay</Button>
        <Button look="danger" onClick={proceed}>
          Leave
        </Button>
      </DialogActions>
    </Dialog>
  )
}

const sameSearch = (a: object, b: object): boolean => JSON.stringify(a) === JSON.stringify(b)
