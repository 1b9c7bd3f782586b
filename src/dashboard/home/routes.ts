import { html } from '../../pages/frame/html.ts';
import { page } from '../frame/layout.ts';
import { type DashboardRoute, dashboardRoute } from '../frame/route.ts';

const home = dashboardRoute({
  method: 'GET',
  path: '/',
  action: 'read',
  async handler(visit) {
    const { say, store } = visit;
    const body = html`<p>${say('Escolha no menu o que você quer ver.', 'Choose in the menu what you want to see.')}</p>`;
    return page(visit, { title: store.name, active: 'home', body });
  },
});

export const homeRoutes: readonly DashboardRoute[] = [home];
