import { endsAsWithoutOutages } from '../../support/lives/outages.ts';

endsAsWithoutOutages('a cycle whose card is declined once');
