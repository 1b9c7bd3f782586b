import { getProduct } from '../../../api/products/routes.ts';
import type { ProductView } from '../../../api/products/schema.ts';
import { type Html, html } from '../../frame/html.ts';
import { icon } from '../../frame/icons.ts';
import { badge, copyChip, section, time } from '../frame/components.ts';
import { detailPage, type SideCard } from '../frame/detail.ts';
import { formDialog } from '../frame/dialog.ts';
import { form } from '../frame/form.ts';
import { read } from '../frame/operation.ts';
import { dashboardRoute } from '../frame/route.ts';
import type { Visit } from '../frame/visit.ts';
import { amount } from '../words.ts';
import { priceText } from './product-form.ts';
import { cycleText } from './product-list.ts';

/** One product: what payers see of it, and what can be done with it. */
export const productPage = dashboardRoute({
  method: 'GET',
  path: '/products/:id',
  action: 'read',
  async handler(visit) {
    const { say } = visit;
    const product = await read(visit, getProduct, { query: { id: visit.params.id } });
    const { status, description, imageUrl } = product;
    const texts = html`${pictureOf(imageUrl)}<p class="texts">${description ?? say('Sem descrição.', 'No description.')}</p>`;
    return detailPage(visit, {
      title: product.name,
      active: 'products',
      main: html`${status === 'ARCHIVED' && archivedNote(visit, product)}
${section(say('O que o pagador vê', 'What payers see'), texts)}`,
      cards: [{ title: say('Dados', 'Details'), rows: rowsOf(visit, product) }],
      ...(visit.can('sell') && { actions: actionsOf(visit, product) }),
    });
  },
});

function actionsOf(visit: Visit, product: ProductView): Html {
  const { say } = visit;
  const { id, cycle, status } = product;
  if (status === 'ARCHIVED') return deleteDialog(visit, product);
  return html`${archiveDialog(visit, product)}
<a class="button button--quiet" href="${visit.link(`/products/${id}/edit`)}">${say('Editar', 'Edit')}</a>
${cycle === null && html`<a class="button" href="${visit.link('/new-checkout', { product: id })}">${icon('plus')}${say('Criar link', 'Create link')}</a>`}`;
}

/** An archived product says so first, and can be restored at once. */
function archivedNote(visit: Visit, { id }: ProductView): Html {
  const { say } = visit;
  const text = say(
    'Arquivado: não é vendido em novos checkouts, links e assinaturas. Os que já existem continuam.',
    'Archived: it is not sold in new checkouts, links and subscriptions. Existing ones continue.',
  );
  const restore = form(visit, {
    action: `/products/${id}/restore`,
    submit: say('Restaurar', 'Restore'),
    style: 'quiet',
  });
  return html`<div class="note">${badge('plain', say('Arquivado', 'Archived'))}<p class="note__text">${text}</p>${visit.can('sell') && restore}</div>`;
}

function pictureOf(imageUrl: string | null): Html | null {
  if (!imageUrl?.startsWith('https:')) return null;
  return html`<img class="picture" src="${imageUrl}" alt="" width="96" height="96" loading="lazy" decoding="async" referrerpolicy="no-referrer">`;
}

function rowsOf(visit: Visit, product: ProductView): SideCard['rows'] {
  const { say } = visit;
  const { id, externalId, price, cycle, trialDays, hasFile, createdAt, updatedAt } = product;
  return [
    [
      say('Preço', 'Price'),
      html`<strong>${amount(price)}</strong> ${cycleText(visit, cycle)}${visit.can('sell') && sameAtOtherPrice(visit, product)}`,
    ],
    trialDays === null
      ? null
      : [say('Teste grátis', 'Free trial'), say(`${trialDays} dias`, `${trialDays} days`)],
    [say('Arquivo para quem paga', 'File for payers'), hasFile ? say('Sim', 'Yes') : say('Não', 'No')],
    [say('Seu id', 'Your id'), copyChip(visit, externalId)],
    ['Id', copyChip(visit, id)],
    [say('Criado', 'Created'), time(visit, createdAt)],
    [say('Mudado', 'Changed'), time(visit, updatedAt)],
  ];
}

/** A price never changes. This is the way to another one. */
function sameAtOtherPrice(visit: Visit, { name, description, imageUrl, cycle, price }: ProductView): Html {
  const fields = {
    name,
    price: priceText(price),
    ...(description !== null && { description }),
    ...(imageUrl !== null && { imageUrl }),
    ...(cycle !== null && { cycle }),
  };
  return html`<br><a href="${visit.link('/new-product', fields)}">${visit.say('Criar igual com outro preço', 'Create the same at another price')}</a>`;
}

function archiveDialog(visit: Visit, { id }: ProductView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'archive',
    button: say('Arquivar', 'Archive'),
    style: 'quiet',
    title: say('Arquivar o produto?', 'Archive the product?'),
    text: say(
      'Ele sai de novos checkouts, links e assinaturas. Os que já existem continuam, e você pode restaurá-lo quando quiser.',
      'It leaves new checkouts, links and subscriptions. Existing ones continue, and you can restore it at any time.',
    ),
    action: `/products/${id}/archive`,
    submit: say('Arquivar', 'Archive'),
  });
}

function deleteDialog(visit: Visit, { id, externalId }: ProductView): Html {
  const { say } = visit;
  return formDialog(visit, {
    name: 'delete',
    button: say('Apagar', 'Delete'),
    style: 'danger',
    title: say('Apagar o produto para sempre?', 'Delete the product for good?'),
    text: say(
      `Isto não pode ser desfeito. O que foi vendido continua legível, e “${externalId}” fica livre para outro produto.`,
      `This cannot be undone. Past sales stay readable, and “${externalId}” is free for another product.`,
    ),
    action: `/products/${id}/delete`,
    submit: say('Apagar para sempre', 'Delete for good'),
    isDangerous: true,
  });
}
