import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a refund');
