import { Link, useNavigate } from '@tanstack/react-router'
import {
  Box,
  ChevronDown,
  Keyboard,
  Menu as MenuIcon,
  Moon,
  Plus,
  RotateCw,
  Search,
  Sun,
  SunMoon,
  TriangleAlert,
} from 'lucide-react'
import { useState } from 'react'
import { useConnection } from './connection.ts'
import { InboxBell } from './inbox.tsx'
import { PersonMenu } from './person-menu.tsx'
import { goToSystem, type Layer, type ShellCommand } from './shell-commands.ts'
import { useProjectCounts } from './project-counts.ts'
import { SyncChip } from './sync-chip.tsx'
import type { BoardView } from '../../feed/board-fold.ts'
import { IconButton } from '../../ui/button.tsx'
import { Hint } from '../../ui/hint.tsx'
import { keyText } from '../../ui/keys/key-text.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/menu.tsx'
import { currentTheme, nextTheme } from '../../ui/theme.ts'
import css from './top-bar.module.css'

type Props = {
  project: string | null
  home: BoardView | null
  commands: readonly ShellCommand[]
  onShow: (layer: Layer) => void
}

const places = [
  { to: '/p/$project', name: 'Board', exact: true },
  { to: '/p/$project/activity', name: 'Activity', exact: false },
  { to: '/p/$project/graph', name: 'Graph', exact: false },
  { to: '/p/$project/reviews', name: 'Reviews', exact: false },
  { to: '/p/$project/budget', name: 'Budget', exact: false },
  { to: '/p/$project/settings', name: 'Settings', exact: false },
] as const

export function TopBar({ project, home, commands, onShow }: Props) {
  const view = project === null ? undefined : home?.projects.get(project)
  const navigate = useNavigate()
  const onSystem = () => void goToSystem(navigate, project)
  return (
    <header className={css['bar']}>
      <ProjectSwitcher project={project} home={home} />
      {project !== null && (
        <nav className={css['nav']} aria-label="Main">
          {places.map(({ to, name, exact }) => (
            <Link
              key={to}
              to={to}
              params={{ project }}
              activeOptions={{ includeSearch: false, exact }}
              className={css['place']}
              activeProps={{ className: `${css['place']} ${css['here']}` }}
            >
              {name}
            </Link>
          ))}
        </nav>
      )}
      <PlacesMenu commands={commands} />
      <div className={css['right']}>
        <Hint text="Beads, pages, actions, reviews, other projects" keys={keyText('Mod+k')}>
          <button type="button" className={`${css['chip']} ${css['find']}`} onClick={() => onShow('palette')}>
            <Search size={16} strokeWidth={1.5} aria-hidden />
            <span className={css['find-word']}>Search everything</span>
            <kbd aria-hidden className={css['find-keys']}>
              {keyText('Mod+k')}
            </kbd>
          </button>
        </Hint>
        {home?.status && <Machine project={project} home={home} onSystem={onSystem} />}
        {view && <SyncChip view={view} />}
        <ConnectionChip onSystem={onSystem} />
        {project !== null && <InboxBell onOpen={() => onShow('inbox')} />}
        <ThemeButton />
        <IconButton label="Keyboard shortcuts" keys="?" onClick={() => onShow('keys')} className={css['wide']}>
          <Keyboard size={16} strokeWidth={1.5} aria-hidden />
        </IconButton>
        <PersonMenu project={project} />
      </div>
    </header>
  )
}

/** All commands of the shell, by name, for a bar without room for the links. */
function PlacesMenu({ commands }: Pick<Props, 'commands'>) {
  return (
    <Menu
      label="Go to"
      trigger={
        <button type="button" className={`${css['chip']} ${css['menu']}`} aria-label="Menu">
          <MenuIcon size={16} strokeWidth={1.5} aria-hidden />
        </button>
      }
    >
      {commands.map(({ id, does, keys, run }) => (
        <MenuItem key={id} onSelect={run}>
          <span className={css['grow']}>{does}</span>
          {keys !== undefined && <span className={css['count']}>{keyText(keys)}</span>}
        </MenuItem>
      ))}
    </Menu>
  )
}

function ProjectSwitcher({ project, home }: Pick<Props, 'project' | 'home'>) {
  const navigate = useNavigate()
  const current = project === null ? null : home?.projects.get(project)
  const [open, setOpen] = useState(false)
  const counts = useProjectCounts(open)
  return (
    <Menu
      label="Projects"
      open={open}
      onOpen={setOpen}
      trigger={
        <button type="button" className={css['switch']}>
          <Loom />
          <span className={css['project']}>{current?.name ?? project ?? 'Beadloom'}</span>
          <ChevronDown size={16} strokeWidth={1.5} aria-hidden />
        </button>
      }
    >
      {[...(home?.projects.values() ?? [])].map((one) => (
        <MenuItem
          key={one.id}
          current={one.id === project}
          onSelect={() => void navigate({ to: '/p/$project', params: { project: one.id } })}
        >
          <span className={css['grow']}>{one.name}</span>
          <span className={css['count']}>{one.problem ? 'problem' : readyText(counts.get(one.id)?.ready ?? 0)}</span>
        </MenuItem>
      ))}
      {home && home.projects.size > 0 && <MenuLine />}
      <MenuItem onSelect={() => void navigate({ to: '/setup' })}>
        <Plus size={16} strokeWidth={1.5} aria-hidden /> Setup and new project
      </MenuItem>
    </Menu>
  )
}

const readyText = (ready: number): string => (ready === 0 ? '' : `${ready} ready`)

/** Three threads, three beads. */
const Loom = () => (
  <svg width="18" height="18" viewBox="0 0 32 32" aria-hidden className={css['loom']}>
    <path d="M8 2v28M16 2v28M24 2v28" stroke="currentColor" strokeWidth="2" opacity=".45" />
    <circle cx="8" cy="11" r="4.5" fill="currentColor" />
    <circle cx="16" cy="20" r="4.5" fill="currentColor" />
    <circle cx="24" cy="11" r="4.5" fill="currentColor" />
  </svg>
)

function Machine({ project, home, onSystem }: { project: string | null; home: BoardView; onSystem: () => void }) {
  const status = home.status
  if (!status) return null
  const { used, total } = status.slots
  // A project may name its own model, or need none; then a missing model of the server does not matter.
  const own = project === null ? undefined : home.projects.get(project)
  const here = own === undefined ? [...home.projects.values()] : [own]
  const modelMissing = !status.model.ok && here.every(({ model, agent }) => model === null && agent !== 'command')
  return (
    <>
      {!status.docker.ok && <Trouble text="Docker" about={status.docker.text} onClick={onSystem} />}
      {modelMissing && <Trouble text="model" about={status.model.text} onClick={onSystem} />}
      {!status.disk.ok && <Trouble text="disk" about="The disk is nearly full." onClick={onSystem} />}
      {status.database && (
        <Trouble text="database" about={`${status.database.text}. Changes wait.`} onClick={onSystem} />
      )}
      <Hint text={`${used} of ${total} slots in use. ${status.docker.text}. ${status.model.text}`}>
        <button
          type="button"
          className={`${css['chip']} ${css['slots']}`}
          onClick={onSystem}
          aria-label={`${used}/${total} slots in use`}
        >
          <Box size={16} strokeWidth={1.5} aria-hidden />
          <span className="live-number">
            {used}/{total}
          </span>
        </button>
      </Hint>
    </>
  )
}

const Trouble = ({ text, about, onClick }: { text: string; about: string; onClick: () => void }) => (
  <Hint text={about}>
    <button type="button" className={`${css['chip']} ${css['trouble']}`} onClick={onClick}>
      <TriangleAlert size={16} strokeWidth={1.5} aria-hidden />
      <span className={css['word']}>{text}</span>
    </button>
  </Hint>
)

function ConnectionChip({ onSystem }: { onSystem: () => void }) {
  const { tone, icon: Icon, text, short, about } = useConnection()
  return (
    <Hint text={about}>
      <button
        type="button"
        className={`${css['chip']} ${css[tone]}`}
        onClick={() => (Icon === RotateCw ? location.reload() : onSystem())}
      >
        <Icon size={14} strokeWidth={2} aria-hidden className={css['glyph']} />
        <span className={css['connection']}>{text}</span>
        {short !== '' && (
          <span aria-hidden className={css['short']}>
            {short}
          </span>
        )}
      </button>
    </Hint>
  )
}

function ThemeButton() {
  const [theme, setTheme] = useState(currentTheme)
  const Icon = theme === 'light' ? Sun : theme === 'dark' ? Moon : SunMoon
  return (
    <IconButton label={`Theme: ${theme}`} keys="t d" onClick={() => setTheme(nextTheme())} className={css['wide']}>
      <Icon size={16} strokeWidth={1.5} aria-hidden />
    </IconButton>
  )
}
