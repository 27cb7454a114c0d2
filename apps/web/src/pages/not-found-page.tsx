import { Link } from '@tanstack/react-router'
import { usePageTitle } from '../ui/page-title.ts'
import { PanelMessage } from '../ui/panel-message.tsx'

export function NotFoundPage() {
  usePageTitle('No such page')
  return (
    <PanelMessage title="There is no such page" alone>
      <Link to="/">Go to the board</Link>
    </PanelMessage>
  )
}
