import type { DashboardRoute } from '../frame/route.ts';
import { editProductPages } from './edit-product.ts';
import { newProductPages } from './new-product.ts';
import { productActions } from './product-actions.ts';
import { productList } from './product-list.ts';
import { productPage } from './product-page.ts';

export const productPages: readonly DashboardRoute[] = [
  productList,
  ...newProductPages,
  productPage,
  ...editProductPages,
  ...productActions,
];
