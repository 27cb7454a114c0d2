import {
  Activity,
  Bell,
  ScanSearch,
  Bookmark,
  ChartColumn,
  FolderGit2,
  GitPullRequest,
  Keyboard,
  LayoutDashboard,
  Link2,
  Moon,
  Network,
  Pause,
  Play,
  Plus,
  RefreshCw,
  Rocket,
  Server,
  Settings,
  Zap,
  type LucideIcon,
} from 'lucide-react'
import type { PaletteItem } from './palette-items.ts'
import { StateMark } from '../bead/state-mark.tsx'

/** Icons of the shell's commands, by name. */
const commands: Record<string, LucideIcon> = {
  board: LayoutDashboard,
  activity: Activity,
  graph: Network,
  reviews: ScanSearch,
  budget: ChartColumn,
  settings: Settings,
  sync: RefreshCw,
  inbox: Bell,
  setup: Rocket,
  system: Server,
  theme: Moon,
  link: Link2,
  keys: Keyboard,
  'new-bead': Plus,
  'pull-request': GitPullRequest,
  resume: Play,
  pause: Pause,
  'sync-now': RefreshCw,
  review: ScanSearch,
}
const others = { page: Zap, action: Zap, bead: Zap, project: FolderGit2, review: ScanSearch, view: Bookmark } as const

/** A bead has the mark of its state; everything else has an icon for its kind. */
export function PaletteIcon({ item: { kind, key, mark } }: { item: PaletteItem }) {
  if (mark !== undefined) return <StateMark mark={mark} bare />
  const Icon = commands[key] ?? others[kind]
  return <Icon size={16} strokeWidth={1.5} aria-hidden />
}
